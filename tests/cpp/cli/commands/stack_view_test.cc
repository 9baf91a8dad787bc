// SPDX-License-Identifier: Apache-2.0
// Checks the tree of resources that `stack` prints.
#include "cli/commands/stack_view.h"

#include <catch2/catch.hpp>

namespace kingpost::stack_view_test {

StatePtr MakeState(const std::string& type, const std::string& name, const StatePtr& parent = nullptr) {
  State state;
  state.urn = Urn("urn:pulumi:dev::site::" + type + "::" + name);
  state.type = type;
  state.id = "id-" + name;
  if (parent) state.parent = parent->urn;
  return std::make_shared<const State>(std::move(state));
}

Snapshot Site() {
  const StatePtr root = MakeState(std::string(kRootStackType), "site-dev");
  const StatePtr box = MakeState("boxes:index:Box", "box", root);
  Snapshot snapshot;
  snapshot.resources = {root, MakeState("pulumi:providers:things", "default", root), box,
                        MakeState("things:index:Thing", "inner", box), MakeState("things:index:Thing", "資料", root)};
  return snapshot;
}

TEST_CASE("the resources of a stack are a tree without default providers", "[cli]") {
  CHECK(CountShown(Site()) == 4);
  CHECK(ResourceTree(Site(), {}, Painter(false)) ==
        "    TYPE                      NAME\n"
        "    pulumi:pulumi:Stack       site-dev\n"
        "    ├─ boxes:index:Box        box\n"
        "    │  └─ things:index:Thing  inner\n"
        "    └─ things:index:Thing     資料\n");
}

TEST_CASE("an ID is printed below its resource, on the resource's branch", "[cli]") {
  const std::string text = ResourceTree(Site(), {true, false, 0}, Painter(false));
  CHECK(text.find("    ├─ boxes:index:Box        box\n    │  │  ID: id-box\n    │  └─ ") != std::string::npos);
  CHECK(text.find("    └─ things:index:Thing     資料\n          ID: id-資料\n") != std::string::npos);
}

TEST_CASE("on a narrow terminal nothing is broken inside of a word", "[cli]") {
  for (int columns = 24; columns < 60; ++columns) {
    const std::string text = ResourceTree(Site(), {true, true, columns}, Painter(false));
    for (const char* word : {"things:index:Thing", "inner", "資料", "urn:pulumi:dev::site::boxes:index:Box::box"}) {
      REQUIRE(text.find(word) != std::string::npos);
    }
  }
}

}  // namespace kingpost::stack_view_test
