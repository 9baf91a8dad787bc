// SPDX-License-Identifier: Apache-2.0
// Checks single steps: which take a place, which are changes, and what a same carries over.
#include "decisions/step.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::step_test {

using namespace plan_test;
using namespace decisions;

Draft DraftOf(const std::string& type = "pkg:m:Typ") {
  auto draft = std::make_shared<State>(StateOf("a"));
  draft->type = type;
  return draft;
}

TEST_CASE("a chain of sames takes no slot") {
  const StatePtr old_state = Share(StateOf("a"));
  const StepPtr same = Same(old_state, DraftOf()), announced = Refresh(old_state);
  announced->refresh = RefreshKind::kAnnounced;
  CHECK_FALSE(NeedsSlot({}));
  CHECK_FALSE(NeedsSlot({same, announced}));
  CHECK(NeedsSlot({same, Create(DraftOf())}));
  CHECK(NeedsSlot({Refresh(old_state)}));
  CHECK(NeedsSlot({Same(old_state, DraftOf("pulumi:providers:pkg"))}));
}

TEST_CASE("at least one chain has a slot") {
  CHECK(SlotCount(16) == 16);
  CHECK(SlotCount(1) == 1);
  CHECK(SlotCount(0) == 1);
  CHECK(SlotCount(-1) == 1);
}

TEST_CASE("steps that leave everything as it is are no changes") {
  for (const StepOp op : {StepOp::kSame, StepOp::kRead, StepOp::kReadReplacement, StepOp::kDiscard}) {
    CHECK_FALSE(IsChange(op));
  }
  for (const StepOp op : {StepOp::kCreate, StepOp::kUpdate, StepOp::kDelete, StepOp::kReplace, StepOp::kImport,
                          StepOp::kDiscardReplaced, StepOp::kRefresh}) {
    CHECK(IsChange(op));
  }
}

TEST_CASE("a same takes over ID and outputs, and the same of an excluded resource keeps its own outputs") {
  State recorded = StateOf("a");
  recorded.outputs = {{"x", 1}};
  const StatePtr old_state = Share(recorded);
  StepPtr same = Same(old_state, std::make_shared<State>());
  CarryOver(same.get());
  CHECK(same->new_state->id == "a-id");
  CHECK(same->new_state->outputs.Has("x"));
  StepPtr left_out = UntargetedSame(old_state);
  left_out->new_state->outputs = {{"x", Value::Secret(Value(1))}};
  CarryOver(left_out.get());
  CHECK(left_out->new_state->id == "a-id");
  CHECK(left_out->new_state->outputs.Find("x")->is_secret());
}

TEST_CASE("a same of a provider configures it, unless nothing was registered") {
  const Draft provider = DraftOf("pulumi:providers:pkg");
  CHECK(ConfiguresProvider(*Same(provider, provider)));
  CHECK_FALSE(ConfiguresProvider(*UntargetedSame(provider)));
  CHECK_FALSE(ConfiguresProvider(*SkippedCreate(provider)));
  CHECK_FALSE(ConfiguresProvider(*Same(DraftOf(), DraftOf())));
}

TEST_CASE("a refresh that found nothing is not a delete") {
  const StatePtr old_state = Share(StateOf("a"));
  CHECK(Delete(old_state)->deletes());
  CHECK_FALSE(Create(DraftOf())->deletes());
  const StepPtr gone = Refresh(old_state);
  gone->new_state = nullptr;
  CHECK_FALSE(gone->deletes());
}

}  // namespace kingpost::step_test
