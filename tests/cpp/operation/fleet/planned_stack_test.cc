// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/planned_stack.h"

#include <catch2/catch.hpp>

#include "operation/fleet/recorded_references.h"

namespace kingpost::fleet::planned_stack_test {

StatePtr Thing(const std::string& name, PropertyMap outputs) {
  State state;
  state.urn = Urn("urn:pulumi:prod::p::t:m:T::" + name);
  state.type = "t:m:T";
  state.custom = true;
  state.id = name;
  state.outputs = std::move(outputs);
  return std::make_shared<const State>(std::move(state));
}

ResourceOutputsEvent Step(StepOp op, const StatePtr& old_state, const StatePtr& new_state) {
  ResourceOutputsEvent event;
  event.metadata.op = op;
  event.metadata.urn = new_state ? new_state->urn : old_state->urn;
  event.metadata.old_state = old_state;
  event.metadata.new_state = new_state;
  return event;
}

std::shared_ptr<const Snapshot> Base(std::vector<StatePtr> resources) {
  auto base = std::make_shared<Snapshot>();
  base->resources = std::move(resources);
  return base;
}

TEST_CASE("a preview in which all stays changes nothing", "[fleet]") {
  const StatePtr a = Thing("a", {{"x", 1.0}});
  PlannedStack planned(Base({a}));
  planned.Emit(Step(StepOp::kSame, a, Thing("a", {{"x", 1.0}})));
  CHECK_FALSE(planned.changes());
  CHECK(planned.Planned()->resources.size() == 1);
}

TEST_CASE("changed outputs are a change even in a same step", "[fleet]") {
  const StatePtr a = Thing("a", {{"x", 1.0}});
  PlannedStack planned(Base({a}));
  planned.Emit(Step(StepOp::kSame, a, Thing("a", {{"x", 2.0}})));
  CHECK(planned.changes());
  CHECK(planned.Planned()->resources[0]->outputs.Find("x")->as_number() == 2.0);
}

TEST_CASE("the planned stack has the created and replaced resources, and not the deleted ones", "[fleet]") {
  const StatePtr a = Thing("a", {{"x", 1.0}}), b = Thing("b", {});
  PlannedStack planned(Base({a, b}));
  planned.Emit(Step(StepOp::kCreateReplacement, a, Thing("a", {{"x", Computed()}})));
  planned.Emit(Step(StepOp::kReplace, a, Thing("a", {{"x", Computed()}})));
  planned.Emit(Step(StepOp::kDeleteReplaced, a, nullptr));
  planned.Emit(Step(StepOp::kDelete, b, nullptr));
  planned.Emit(Step(StepOp::kCreate, nullptr, Thing("c", {})));
  CHECK(planned.changes());
  const auto after = planned.Planned();
  REQUIRE(after->resources.size() == 2);
  CHECK(after->resources[0]->outputs.Find("x")->is_computed());
  CHECK(after->resources[1]->urn.name() == "c");
}

TEST_CASE("a pending delete counts as a change", "[fleet]") {
  State condemned = *Thing("a", {});
  condemned.pending_delete = true;
  CHECK(PlannedStack(Base({std::make_shared<const State>(condemned)})).changes());
}

TEST_CASE("outputs that changed or vanished since they were read are named, and new or secret ones are not",
          "[fleet]") {
  const PropertyMap read = {{"gone", "x"}, {"same", "y"}, {"changed", 1.0}, {"word", Value::Secret(Value("a"))}};
  const PropertyMap now = {{"same", "y"}, {"changed", 2.0}, {"word", Value::Secret(Value("b"))}, {"new", "z"}};
  CHECK(StaleOutputs(read, now) == std::vector<std::string>{"changed", "gone"});
}

}  // namespace kingpost::fleet::planned_stack_test
