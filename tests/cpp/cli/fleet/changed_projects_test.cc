// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/changed_projects.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

namespace kingpost::changed_projects_test {

namespace fs = std::filesystem;

TEST_CASE("a project is touched by files of its folder, of its packages, and of no project within", "[fleet]") {
  const fs::path root = fs::temp_directory_path() / ("kp-touched-" + std::to_string(::getpid()));
  fs::create_directories(root / "web" / "inner");
  fs::create_directories(root / "shared");
  std::ofstream(root / "shared" / "PulumiPlugin.yaml") << "runtime: yaml\n";
  std::ofstream(root / "web" / "Pulumi.yaml") << "name: web\nruntime: yaml\npackages: {shared: ../shared}\n";
  const auto project = Project::FindAndLoad((root / "web").string());
  REQUIRE(project.ok());
  const std::set<std::string> folders = {(root / "web").string(), (root / "web" / "inner").string()};
  const auto touched = [&](const std::string& file) {
    return HasChangedFiles(*project, folders, {(root / file).string()});
  };
  CHECK(touched("web/Pulumi.yaml"));
  CHECK(touched("web/lib/x.py"));
  CHECK(touched("shared/component.yaml"));
  CHECK_FALSE(touched("web/inner/Pulumi.yaml"));
  CHECK_FALSE(touched("website/Pulumi.yaml"));
  CHECK_FALSE(touched("other/x"));
  fs::remove_all(root);
}

}  // namespace kingpost::changed_projects_test
