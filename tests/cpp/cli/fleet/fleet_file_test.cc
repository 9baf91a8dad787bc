// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/fleet_file.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "cli/fleet/find_projects.h"

namespace kingpost::fleet_file_test {

namespace fs = std::filesystem;

TEST_CASE("kingpost.yaml says which stacks belong together", "[fleet]") {
  const auto file = ParseFleetFile("kingpost.yaml", R"(stack: prod
config: {"aws:region": eu-central-1, size: 3, on: true}
members:
  - network
  - folder: web
    stack: blue
    after: [network]
    groups: [front]
groups: {back: [network, "services/*"]}
)");
  REQUIRE(file.ok());
  CHECK(file->stack == "prod");
  CHECK(file->config ==
        std::map<std::string, std::string>{{"aws:region", "eu-central-1"}, {"size", "3"}, {"on", "true"}});
  REQUIRE(file->members.size() == 2);
  CHECK(file->members[0].folder == "network");
  CHECK(file->members[1].stack == "blue");
  CHECK(file->members[1].after == std::vector<std::string>{"network"});
  CHECK(file->members[1].groups == std::vector<std::string>{"front"});
  CHECK(file->groups.at("back") == std::vector<std::string>{"network", "services/*"});
}

TEST_CASE("what is wrong in kingpost.yaml is told with its line", "[fleet]") {
  const auto [text, error] = GENERATE(table<std::string, std::string>({
      {"- a\n", "k.yaml:1: has to be a map with stack, config, members and groups"},
      {"stack: prod\nmember: [a]\n", "k.yaml:2: 'member' is not known here: stack, config, members and groups are"},
      {"members:\n  - stack: x\n", "k.yaml:2: a member needs a folder"},
      {"members:\n  - folder: a\n    needs: [b]\n",
       "k.yaml:3: 'needs' is not known here: folder, stack, after and groups are"},
      {"config:\n  a: [1]\n", "k.yaml:2: has to be a text, a number, true or false"},
  }));
  const auto file = ParseFleetFile("k.yaml", text);
  REQUIRE_FALSE(file.ok());
  CHECK(file.status().message() == error);
}

TEST_CASE("projects are found wherever they are, but not where others put theirs", "[fleet]") {
  const fs::path root = fs::temp_directory_path() / ("kp-fleet-" + std::to_string(::getpid()));
  fs::remove_all(root);
  const auto put = [&root](const std::string& file) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << "name: x\nruntime: yaml\n";
  };
  for (const char* file : {"network/Pulumi.yaml", "a/b/c/Pulumi.yml", "json/Pulumi.json",
                           "web/node_modules/p/Pulumi.yaml", "web/Pulumi.yaml", "web/venv/pyvenv.cfg",
                           "web/venv/lib/Pulumi.yaml", ".hidden/Pulumi.yaml", "plugin/PulumiPlugin.yaml"}) {
    put(file);
  }
  fs::create_directory_symlink(root / "network", root / "link");
  std::vector<std::string> labels;
  for (const std::string& folder : FindProjectFolders(root.string())) {
    labels.push_back(fs::path(folder).lexically_relative(root).string());
  }
  CHECK(labels == std::vector<std::string>{"a/b/c", "json", "network", "web"});
  fs::remove_all(root);
}

TEST_CASE("a project is touched by files of its folder, of its packages, and of no project within", "[fleet]") {
  const fs::path root = fs::temp_directory_path() / ("kp-touched-" + std::to_string(::getpid()));
  fs::create_directories(root / "web" / "inner");
  fs::create_directories(root / "shared");
  std::ofstream(root / "shared" / "PulumiPlugin.yaml") << "runtime: yaml\n";
  std::ofstream(root / "web" / "Pulumi.yaml") << "name: web\nruntime: yaml\npackages: {shared: ../shared}\n";
  const auto project = Project::FindAndLoad((root / "web").string());
  REQUIRE(project.ok());
  const std::set<std::string> folders = {(root / "web").string(), (root / "web" / "inner").string()};
  const auto touched = [&](const std::string& file) { return IsTouched(*project, folders, {(root / file).string()}); };
  CHECK(touched("web/Pulumi.yaml"));
  CHECK(touched("web/lib/x.py"));
  CHECK(touched("shared/component.yaml"));
  CHECK_FALSE(touched("web/inner/Pulumi.yaml"));
  CHECK_FALSE(touched("website/Pulumi.yaml"));
  CHECK_FALSE(touched("other/x"));
  fs::remove_all(root);
}

}  // namespace kingpost::fleet_file_test
