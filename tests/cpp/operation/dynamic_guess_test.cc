// SPDX-License-Identifier: Apache-2.0
// Checks which programs seem to use a dynamic provider.
#include "operation/dynamic_guess.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace kingpost::dynamic_guess_test {

namespace fs = std::filesystem;

std::string Guess(const std::string& runtime, const std::string& file, const std::string& text) {
  const TempFolder folder;
  fs::create_directories((fs::path(folder.path()) / file).parent_path());
  std::ofstream(folder / file) << text;
  Project project;
  project.file = folder / "Pulumi.yaml";
  project.runtime = runtime;
  return GuessDynamicProvider(project).value_or("");
}

TEST_CASE("a program that names a class of pulumi.dynamic seems to use a dynamic provider") {
  const std::string python = "from pulumi import dynamic\nclass P(dynamic.ResourceProvider): pass\n";
  CHECK(Guess("python", "__main__.py", python) == "pulumi-python");
  CHECK(Guess("python", "files.py", "from pulumi.dynamic import ResourceProvider\n") == "pulumi-python");
  CHECK(Guess("nodejs", "index.ts", "class P implements pulumi.dynamic.ResourceProvider {}\n") == "pulumi-nodejs");
  CHECK(Guess("nodejs", "index.js", "new dynamic.Resource(p, 'r', {})\n") == "pulumi-nodejs");

  CHECK(Guess("python", "__main__.py", "import pulumi\npulumi.export('dynamic', 1)\n").empty());
  CHECK(Guess("python", "deeper/files.py", python).empty());
  CHECK(Guess("python", "notes.txt", python).empty());
  CHECK(Guess("python", "large.py", python + std::string(300 << 10, '#')).empty());
  CHECK(Guess("yaml", "__main__.py", python).empty());
  CHECK(Guess("go", "main.go", "pulumi.dynamic").empty());
}

}  // namespace kingpost::dynamic_guess_test
