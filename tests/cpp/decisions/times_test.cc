// SPDX-License-Identifier: Apache-2.0
// Checks the times at which a resource was created and modified.
#include "decisions/times.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::times_test {

using namespace plan_test;
using namespace decisions;

std::string Times(StepOp op, const StatePtr& old_state, State next) {
  next.created = next.modified = "draft";
  SetTimes(op, old_state, "now", &next);
  return next.created + " " + next.modified;
}

TEST_CASE("a create and an import set both times, an update the second, a read and a refresh only for news") {
  State recorded = StateOf("a"), changed = StateOf("a"), component = StateOf("a");
  recorded.created = "then";
  recorded.modified = "later";
  const StatePtr old_state = Share(recorded);
  component.custom = false;
  for (const StepOp op : {StepOp::kCreate, StepOp::kCreateReplacement, StepOp::kImport, StepOp::kImportReplacement}) {
    CHECK(Times(op, nullptr, StateOf("a")) == "now now");
    CHECK(Times(op, old_state, StateOf("a")) == "now now");
  }
  CHECK(Times(StepOp::kUpdate, old_state, StateOf("a")) == "then now");
  CHECK(Times(StepOp::kUpdate, old_state, component) == "then later");
  for (const StepOp op : {StepOp::kRead, StepOp::kReadReplacement, StepOp::kRefresh}) {
    CHECK(Times(op, nullptr, StateOf("a")) == "draft draft");
    CHECK(Times(op, old_state, StateOf("a")) == "then later");
    changed.inputs = {{"size", 1}};
    CHECK(Times(op, old_state, changed) == "then now");
    changed.inputs = PropertyMap();
    changed.outputs = {{"size", 1}};
    CHECK(Times(op, old_state, changed) == "then now");
  }
  for (const StepOp op : {StepOp::kSame, StepOp::kDelete, StepOp::kReplace}) {
    CHECK(Times(op, old_state, changed) == "draft draft");
  }
}

}  // namespace kingpost::times_test
