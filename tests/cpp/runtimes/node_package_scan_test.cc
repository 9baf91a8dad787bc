// SPDX-License-Identifier: Apache-2.0
// Checks which packages of node_modules belong to a program: the nearest of each name, and farther up only
// dependencies.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "runtimes/package_scan.h"
#include "support/temp_folder.h"

namespace kingpost::node_package_scan_test {

namespace fs = std::filesystem;

class Tree {
 public:
  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((fs::path(folder_.path()) / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  // A package that brings a plugin; `more` is the rest of its package.json.
  void Package(const std::string& folder, const std::string& name, const std::string& version,
               const std::string& more = "") {
    Write(folder + "/package.json",
          R"({"name": ")" + name + R"(", "version": ")" + version + R"(", "pulumi": {"resource": true})" + more + "}");
  }
  void Link(const std::string& at, const std::string& to) {
    fs::create_directories((fs::path(folder_.path()) / at).parent_path());
    fs::create_directory_symlink(folder_ / to, folder_ / at);
  }
  // "aws 1.0.0" of each, sorted.
  std::vector<std::string> Scan(const std::string& program) const {
    const auto found = ScanNodePackages(folder_ / program);
    REQUIRE(found.ok());
    std::vector<std::string> texts;
    for (const RequiredPackage& package : *found) texts.push_back(package.name + " " + package.version);
    std::sort(texts.begin(), texts.end());
    return texts;
  }

 private:
  TempFolder folder_;
};

using Texts = std::vector<std::string>;

TEST_CASE("a package hides another of its name that is farther up") {
  Tree tree;
  tree.Package("app/node_modules/@pulumi/random", "@pulumi/random", "5.0.0");
  tree.Package("node_modules/@pulumi/random", "@pulumi/random", "4.0.0");
  tree.Package("node_modules/@pulumi/tls", "@pulumi/tls", "3.0.0");
  CHECK(tree.Scan("app") == Texts{"random 5.0.0", "tls 3.0.0"});

  tree.Write("app/package.json", R"({"dependencies": {"@pulumi/random": "*"}})");
  CHECK(tree.Scan("app") == Texts{"random 5.0.0"});  // no package depends on one farther up
  CHECK(tree.Scan("app/src") == Texts{"random 5.0.0"});
}

TEST_CASE("the packages of a workspace member count for the programs that depend on it") {
  Tree tree;
  tree.Write("package.json", R"({"workspaces": ["packages/*"]})");
  tree.Write("packages/app/package.json",
             R"({"devDependencies": {"member": "*"}, "dependencies": {"@pulumi/aws": "*"}})");
  tree.Write("packages/other/package.json", R"({"name": "other", "dependencies": {"@pulumi/gcp": "*"}})");
  tree.Write("packages/member/package.json", R"({"name": "member", "dependencies": {"@pulumi/random": "*"},
    "devDependencies": {"@pulumi/tls": "*"}})");
  tree.Link("node_modules/member", "packages/member");
  tree.Link("node_modules/other", "packages/other");
  for (const char* name : {"aws", "gcp", "random", "tls"}) {
    tree.Package(std::string("node_modules/@pulumi/") + name, std::string("@pulumi/") + name, "1.0.0");
  }
  CHECK(tree.Scan("packages/app") == Texts{"aws 1.0.0", "random 1.0.0"});

  // The program and the member mean two packages of one name.
  tree.Package("packages/app/node_modules/@pulumi/random", "@pulumi/random", "2.0.0");
  CHECK(tree.Scan("packages/app") == Texts{"aws 1.0.0", "random 1.0.0", "random 2.0.0"});
  tree.Write("packages/app/package.json", R"({"dependencies": {"@pulumi/aws": "*"}})");
  CHECK(tree.Scan("packages/app") == Texts{"aws 1.0.0", "random 2.0.0"});
}

TEST_CASE("with pnpm the dependencies of a package are beside the target of its link") {
  Tree tree;
  tree.Write("app/package.json", R"({"dependencies": {"site": "1.0.0"}})");
  const std::string store = "app/node_modules/.pnpm/";
  tree.Package(store + "site@1.0.0/node_modules/site", "site", "1.0.0", R"(, "dependencies": {"@pulumi/aws": "*"})");
  tree.Package(store + "aws@7.0.0/node_modules/@pulumi/aws", "@pulumi/aws", "7.0.0");
  tree.Package(store + "left@1.0.0/node_modules/left", "left", "1.0.0");  // of an earlier installation
  tree.Link(store + "site@1.0.0/node_modules/@pulumi/aws", store + "aws@7.0.0/node_modules/@pulumi/aws");
  tree.Link("app/node_modules/site", store + "site@1.0.0/node_modules/site");
  CHECK(tree.Scan("app") == Texts{"aws 7.0.0", "site 1.0.0"});
}

TEST_CASE("packages inside of packages count, and those of policy packs do not") {
  Tree tree;
  tree.Write("package.json", "{}");
  tree.Package("node_modules/site/node_modules/@pulumi/aws", "@pulumi/aws", "6.0.0");
  tree.Package("node_modules/@pulumi/aws", "@pulumi/aws", "7.0.0");
  tree.Write("node_modules/guard/PulumiPolicy.yaml", "runtime: nodejs\n");
  tree.Package("node_modules/guard/node_modules/@pulumi/gcp", "@pulumi/gcp", "8.0.0");
  CHECK(tree.Scan(".") == Texts{"aws 6.0.0", "aws 7.0.0"});
}

TEST_CASE("names of dependencies that lead elsewhere are no packages") {
  Tree tree;
  tree.Package("elsewhere", "elsewhere", "1.0.0");
  tree.Write("app/package.json",
             R"({"dependencies": {"../elsewhere": "*", "": "*", ".": "*"}, "peerDependencies": 7})");
  tree.Write("node_modules/plain/package.json", "not JSON");
  CHECK(tree.Scan("app").empty());
}

}  // namespace kingpost::node_package_scan_test
