// SPDX-License-Identifier: Apache-2.0
// Checks packages that are folders of this machine, and those that their plugins need in turn.
#include "workspace/local_packages.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "support/temp_folder.h"

namespace kingpost::local_packages_test {

// Files of "FOLDER", each with the packages that it names.
class Site {
 public:
  void Write(const std::string& file, const std::string& packages) {
    std::filesystem::create_directories(std::filesystem::path(folder_ / file).parent_path());
    const std::string name = file.ends_with("Pulumi.yaml") ? "name: site\n" : "";
    Spit(folder_ / file, name + "runtime: nodejs\npackages: {" + packages + "}\n");
  }
  LocalPackages Find() {
    const auto project = Project::Load(folder_ / "program/Pulumi.yaml");
    REQUIRE(project.ok());
    return FindLocalPackages(*project);
  }
  // "NAME FOLDER", relative to the site.
  std::vector<std::string> Lines() {
    std::vector<std::string> lines;
    for (const LocalPackage& package : Find().packages) lines.push_back(package.name + " " + Relative(package.path));
    return lines;
  }
  std::vector<std::string> Cycle() {
    std::vector<std::string> cycle;
    for (const std::string& path : Find().cycle) cycle.push_back(Relative(path));
    return cycle;
  }

 private:
  std::string Relative(const std::string& path) {
    return std::filesystem::path(path).lexically_relative(folder_ / ".").string();
  }
  TempFolder folder_;
};

using Texts = std::vector<std::string>;

TEST_CASE("a local package comes after the packages that its plugin names, with paths relative to it", "[workspace]") {
  Site site;
  site.Write("program/Pulumi.yaml", "a: ../a, random: random@4.0.0, remote: github.com/acme/remote");
  site.Write("a/PulumiPlugin.yaml", "b: ./inside/b/, c: ../c@1.0.0");
  site.Write("a/inside/b/PulumiPlugin.yaml", "c: ../../../c");
  site.Write("c/PulumiPlugin.yaml", "");
  CHECK(site.Lines() == Texts{"c c", "b a/inside/b", "a a"});
  CHECK(site.Cycle().empty());
}

TEST_CASE("plugins that need each other are a cycle, which ends", "[workspace]") {
  Site site;
  site.Write("program/Pulumi.yaml", "first: ../first");
  site.Write("first/PulumiPlugin.yaml", "a: ../a");
  site.Write("a/PulumiPlugin.yaml", "b: ../b");
  site.Write("b/PulumiPlugin.yaml", "a: ../a");
  CHECK(site.Cycle() == Texts{"a", "b", "a"});
  CHECK(site.Lines() == Texts{"b b", "a a", "first first"});
}

TEST_CASE("a local package may be a program, or missing, and one plugin may have two names", "[workspace]") {
  Site site;
  site.Write("program/Pulumi.yaml", "a: ../a, again: ../a, program: ../bin/pulumi-resource-program");
  site.Write("a/PulumiPlugin.yaml", "");
  CHECK(site.Lines() == Texts{"a a", "again a", "program bin/pulumi-resource-program"});
}

}  // namespace kingpost::local_packages_test
