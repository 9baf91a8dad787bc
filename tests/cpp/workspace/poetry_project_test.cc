// SPDX-License-Identifier: Apache-2.0
// Checks the conversion of a requirements.txt for poetry.
#include "workspace/poetry_project.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace kingpost::poetry_project_test {

// The lines of packages, without that of Python itself.
std::string Packages(const std::string& requirements, const std::string& folder = "/nowhere") {
  const Result<std::string> text = PoetryProject("shop", requirements, folder);
  if (!text.ok()) return text.status().message();
  const std::string table = "[tool.poetry.dependencies]\n";
  std::string said = text->substr(text->find(table) + table.size());
  const std::string python = "python = \"^3.10\"\n";
  REQUIRE(said.find(python) != std::string::npos);
  return said.erase(said.find(python), python.size());
}

TEST_CASE("requirements become packages of poetry", "[workspace]") {
  CHECK(Packages("") == "");
  CHECK(Packages("pulumi>=3.0.0,<4.0.0\n") == "pulumi = \">=3.0.0,<4.0.0\"\n");
  CHECK(Packages("# what we need\n\n  boto3 == 1.2 # exactly\r\nattrs") == "attrs = \"*\"\nboto3 = \"1.2\"\n");
  CHECK(Packages("a~=1.4\nb!=2\nzope.interface<3") == "a = \"~=1.4\"\nb = \"!=2\"\n\"zope.interface\" = \"<3\"\n");
  CHECK(Packages("pulumi[a, b]>3; os_name == \"nt\"") ==
        "pulumi = {version = \">3\", extras = [\"a\", \"b\"], markers = \"os_name == \\\"nt\\\"\"}\n");
}

TEST_CASE("a requirement that poetry cannot express is refused", "[workspace]") {
  for (const char* line : {"-r other.txt", "--index-url https://x.y/z", "a @ https://x.y/a.zip#sha", "./missing"}) {
    CHECK(Packages(std::string("pulumi\n") + line).rfind("'" + std::string(line) + "' cannot be put into", 0) == 0);
  }
}

TEST_CASE("folders and wheels are found beside the requirements", "[workspace]") {
  const TempFolder folder;
  std::filesystem::create_directories(folder.path() + "/sdks/two-words");
  std::ofstream(folder.path() + "/pulumi-3.0.0-py3-none-any.whl") << "";
  CHECK(Packages("sdks/two-words/\n./pulumi-3.0.0-py3-none-any.whl\n", folder.path()) ==
        "pulumi = {path = \"pulumi-3.0.0-py3-none-any.whl\"}\ntwo_words = {path = \"sdks/two-words\"}\n");
}

TEST_CASE("a pyproject.toml for poetry takes the place of the requirements", "[workspace]") {
  const TempFolder folder;
  const std::string listed = folder.path() + "/requirements.txt", described = folder.path() + "/pyproject.toml";
  std::ofstream(listed) << "-r other.txt\n";
  CHECK(WritePoetryProject("shop", folder.path()).message().rfind(listed + ": '-r other.txt'", 0) == 0);
  CHECK(std::filesystem::exists(listed));
  std::ofstream(listed) << "attrs\n";
  REQUIRE(WritePoetryProject("shop", folder.path()).ok());
  CHECK_FALSE(std::filesystem::exists(listed));
  CHECK(Slurp(described) ==
        "[project]\nname = \"shop\"\n\n[build-system]\nrequires = [\"poetry-core\"]\n"
        "build-backend = \"poetry.core.masonry.api\"\n\n[tool.poetry]\npackage-mode = false\n\n"
        "[tool.poetry.dependencies]\nattrs = \"*\"\npython = \"^3.10\"\n");
}

}  // namespace kingpost::poetry_project_test
