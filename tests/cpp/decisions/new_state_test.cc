// SPDX-License-Identifier: Apache-2.0
// Checks that a new state shares the parts that equal the recorded one's.
#include "decisions/new_state.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::decisions::new_state_test {

using plan_test::UrnOf;

State Recorded() {
  State state;
  state.urn = UrnOf("a");
  state.parent = UrnOf("parent");
  state.dependencies = {UrnOf("b")};
  state.property_dependencies = {{"x", {UrnOf("b")}}};
  state.inputs = {{"x", Value("text")}};
  return state;
}

TEST_CASE("the draft, the goal and the record share equal values") {
  const State recorded = Recorded();
  State draft = Recorded();
  Goal goal;
  static_cast<DeclaredFields&>(goal) = draft;
  ShareEqual(recorded, &draft, &goal);
  CHECK(draft.inputs.SameAs(recorded.inputs));
  CHECK(&draft.urn.str() == &recorded.urn.str());
  CHECK(&draft.parent.str() == &recorded.parent.str());
  CHECK(&goal.parent.str() == &recorded.parent.str());
  CHECK(&goal.dependencies[0].str() == &recorded.dependencies[0].str());
  CHECK(draft.property_dependencies.begin() == recorded.property_dependencies.begin());
  CHECK(goal.property_dependencies.begin() == recorded.property_dependencies.begin());
}

TEST_CASE("a field that differs from the record keeps its value") {
  const State recorded = Recorded();
  State draft = Recorded();
  draft.urn = UrnOf("renamed");
  draft.parent = UrnOf("other");
  draft.dependencies = {};
  draft.property_dependencies = {{"x", {}}};
  draft.inputs = {{"x", Value("other")}};
  Goal goal;
  static_cast<DeclaredFields&>(goal) = draft;
  ShareEqual(recorded, &draft, &goal);
  CHECK(draft.urn == UrnOf("renamed"));
  CHECK(goal.parent == UrnOf("other"));
  CHECK(goal.dependencies.empty());
  CHECK(goal.property_dependencies.find("x")->second.empty());
  CHECK(draft.inputs.Find("x")->as_string() == "other");
}

}  // namespace kingpost::decisions::new_state_test
