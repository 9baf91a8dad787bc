// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/listed_members.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "operation/fleet/project_search.h"
#include "support/temp_folder.h"

namespace kingpost::fleet::listed_members_test {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;
using Places = std::vector<size_t>;

TEST_CASE("projects are found wherever they are, but not where others put theirs", "[fleet]") {
  const TempFolder folder;
  const fs::path root = folder.path();
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
  Texts labels;
  for (const std::string& folder : FindProjectFolders(root.string())) {
    labels.push_back(fs::path(folder).lexically_relative(root).string());
  }
  CHECK(labels == Texts{"a/b/c", "json", "network", "web"});
}

// Three projects in folders of their names.
class Three {
 public:
  Three() {
    for (const char* name : {"one", "two", "services/three"}) {
      fs::create_directories(root_ / name);
      std::ofstream(root_ / name / "Pulumi.yaml") << "name: x\nruntime: yaml\n";
    }
  }
  Result<std::vector<ListedProject>> List(const std::string& text) const {
    const auto file = ParseFleetFile("k.yaml", text);
    REQUIRE(file.ok());
    return ListProjects(root_.string(), *file);
  }
  Texts Labels(const std::string& text) const {
    const auto listed = List(text);
    REQUIRE(listed.ok());
    Texts labels;
    for (const ListedProject& one : *listed) labels.push_back(one.label + (one.by_name ? " by name" : ""));
    return labels;
  }

 private:
  const TempFolder folder_;
  const fs::path root_ = fs::canonical(folder_.path());
};

TEST_CASE("members are all projects, or those that kingpost.yaml lists, in its order", "[fleet]") {
  const Three three;
  CHECK(three.Labels("stack: prod\n") == Texts{"one", "services/three", "two"});
  CHECK(three.Labels("members: [two, 'services/*', ./one/]\n") ==
        Texts{"two by name", "services/three", "one by name"});
  CHECK(three.List("members: [{folder: two, stack: blue}]\n")->front().wanted.stack == "blue");
  CHECK(three.List("members: [one, nowhere]\n").status().message() == "k.yaml: the member nowhere has no Pulumi.yaml");
  CHECK(three.List("members: [services]\n").status().message() == "k.yaml: the member services has no Pulumi.yaml");
  CHECK(three.List("members: ['x*']\n").status().message() == "k.yaml: the member x* matches no folder with a project");
}

TEST_CASE("a name refers to a member by its folder, its project or its stack", "[fleet]") {
  const std::vector<MemberNames> members = {{"net/prod", "net", "network", {}},
                                            {"web/prod", "web", "apps/web", {"front"}},
                                            {"web/blue", "web", "apps/blue", {}}};
  const FleetFile file = *ParseFleetFile("k.yaml", "groups: {back: [net*], none: [x]}\n");
  const auto [name, called] = GENERATE(table<std::string, Places>({{"network", {0}},
                                                                   {"./network/", {0}},
                                                                   {"net", {0}},
                                                                   {"net/prod", {0}},
                                                                   {"web", {2}},  // without itself
                                                                   {"apps/web", {}}}));
  INFO(name);
  CHECK(*FindMembersByName(name, 1, members, file) == called);
  CHECK(FindMembersByName("prod", 1, members, file).status().message() ==
        "k.yaml: apps/web comes after prod, which is no folder, project or stack of the members");

  const auto [pattern, fitting] = GENERATE(table<std::string, Places>({{"*", {0, 1, 2}},
                                                                       {"apps/*", {1, 2}},
                                                                       {"*/prod", {0, 1}},
                                                                       {"web", {1, 2}},
                                                                       {"front", {1}},
                                                                       {"back", {0}},
                                                                       {"none", {}},
                                                                       {"nobody", {}}}));
  INFO(pattern);
  CHECK(FindMatchingMembers(pattern, members, file) == fitting);
}

}  // namespace kingpost::fleet::listed_members_test
