// SPDX-License-Identifier: Apache-2.0
// Checks the inputs that the Check of a registration gets, and the text of its failures.
#include "decisions/check_rules.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::check_rules_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a new, condemned, tainted, external or force-replaced resource is checked without old inputs") {
  const Selection none{SelectionOptions()};
  SelectionOptions replace;
  replace.replaces = {UrnOf("a").str()};
  State tainted = StateOf("a"), external = StateOf("a");
  tainted.taint = true;
  external.external = true;
  const StatePtr plain = Share(StateOf("a"));
  CHECK_FALSE(StartsAfresh(plain, UrnOf("a"), false, none));
  CHECK(StartsAfresh(nullptr, UrnOf("a"), false, none));
  CHECK(StartsAfresh(plain, UrnOf("a"), /*was_deleted_first=*/true, none));
  CHECK(StartsAfresh(Share(tainted), UrnOf("a"), false, none));
  CHECK(StartsAfresh(Share(external), UrnOf("a"), false, none));
  CHECK(StartsAfresh(plain, UrnOf("a"), false, Selection(replace)));
  CHECK_FALSE(StartsAfresh(plain, UrnOf("b"), false, Selection(replace)));
}

TEST_CASE(
    "components and excluded resources are not checked, and ignored properties keep old values unless all is new") {
  Goal goal;
  goal.custom = true;
  goal.inputs = {{"x", 2}};
  State recorded = StateOf("a");
  recorded.inputs = {{"x", 1}};
  recorded.outputs = {{"x", 1}, {"made", true}};
  const StatePtr old_state = Share(recorded);
  const PropertyMap ignoring = {{"x", 1}, {"y", 2}};
  const CheckPlan plain = PlanCheck(goal, old_state, ignoring, true, false);
  CHECK(plain.asks);
  CHECK(DeepEqual(plain.old_inputs, recorded.inputs));
  CHECK(DeepEqual(plain.old_outputs, recorded.outputs));
  CHECK(DeepEqual(plain.new_inputs, ignoring));
  const CheckPlan afresh = PlanCheck(goal, old_state, ignoring, true, /*starts_afresh=*/true);
  CHECK(afresh.asks);
  CHECK(afresh.old_inputs.empty());
  CHECK(afresh.old_outputs.empty());
  CHECK(DeepEqual(afresh.new_inputs, goal.inputs));
  const CheckPlan left_out = PlanCheck(goal, old_state, ignoring, /*takes_part=*/false, false);
  CHECK_FALSE(left_out.asks);
  CHECK(DeepEqual(left_out.inputs, recorded.inputs));
  CHECK(PlanCheck(goal, nullptr, ignoring, /*takes_part=*/false, true).inputs.empty());
  goal.custom = false;
  const CheckPlan component = PlanCheck(goal, old_state, ignoring, true, false);
  CHECK_FALSE(component.asks);
  CHECK(DeepEqual(component.inputs, ignoring));
}

TEST_CASE("a failure names the resource, the property and its value") {
  State state = StateOf("a");
  state.inputs = {{"size", 1}, {"key", Value::Secret(Value("k"))}};
  CHECK(CheckFailureText(state, {}, {"", "no"}) == "pkg:m:Typ resource 'a' has a problem: no");
  CHECK(CheckFailureText(state, {}, {"size", "no"}) ==
        "pkg:m:Typ resource 'a': property size value {1} has a problem: no");
  CHECK(CheckFailureText(state, {}, {"key", "no"}).find("k}") == std::string::npos);
  CHECK(CheckFailureText(state, {}, {"key", "no"}, /*show_secrets=*/true).find("k}") != std::string::npos);
  const PropertyMap marked = {{"size", Value::Secret(Value(1))}};
  CHECK(CheckFailureText(state, marked, {"size", "no"}).find("value {[secret]}") != std::string::npos);
}

}  // namespace kingpost::check_rules_test
