// SPDX-License-Identifier: Apache-2.0
// Checks what a failure means for the record, for the rest of the run, and for other resources.
#include "decisions/failures.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::failures_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("the outcome of a step is unknown after INTERNAL, DATA_LOSS and UNKNOWN") {
  struct Row {
    Code code;
    bool unknown;
  };
  static constexpr Row kTable[] = {{Code::kInternal, true},         {Code::kDataLoss, true},
                                   {Code::kUnknown, true},          {Code::kUnavailable, false},
                                   {Code::kInvalidArgument, false}, {Code::kNotFound, false}};
  for (const Row& row : kTable) {
    Status error(row.code, "no");
    CHECK(IsOutcomeUnknown(error) == row.unknown);
    CHECK(StatusNumberOf(error, false) == (row.unknown ? 2 : 0));
    CHECK(StatusNumberOf(error, /*partial=*/true) == 1);
    CHECK_FALSE(MayHaveCreated(error));
    CHECK(MayHaveCreated(error.With(MayHaveHappened{})));
  }
}

TEST_CASE("an update that happened in part keeps the old inputs and the new outputs") {
  State published = StateOf("a"), old_state = StateOf("a");
  published.inputs = {{"size", 2}};
  published.outputs = {{"size", 2}};
  old_state.inputs = {{"size", 1}};
  const State kept = PartialUpdateState(published, old_state);
  CHECK(DeepEqual(kept.inputs, old_state.inputs));
  CHECK(DeepEqual(kept.outputs, published.outputs));
}

TEST_CASE("a failure ends the run, unless it is of a protected resource or the run goes on") {
  for (int facts = 0; facts < 8; ++facts) {
    const FailureOptions options = {(facts & 1) != 0, (facts & 2) != 0};
    CHECK(StopsTheRun((facts & 4) != 0, options) == (facts == 0));
  }
  CHECK(IsAnswered(true, true));
  CHECK(IsAnswered(false, false));
  CHECK_FALSE(IsAnswered(false, /*run_stopped=*/true));
}

TEST_CASE("a chain depends on every dependency of its resources, of each kind") {
  const auto needs = [](auto change) {
    State state = StateOf("b");
    change(&state);
    Rows rows;
    rows.Fail(UrnOf("a"));
    rows.Fail(UrnOf("p", "pulumi:providers:pkg"));
    CHECK(DependsOnFailed(state, rows) == !WhySkipped(state, rows)->by.empty());
    return DependsOnFailed({Same(Share(StateOf("x")), std::make_shared<State>(StateOf("x"))), Delete(Share(state))},
                           rows);
  };
  CHECK_FALSE(needs([](State*) {}));
  CHECK_FALSE(needs([](State* state) { state->dependencies = {UrnOf("c")}; }));
  CHECK(needs([](State* state) { state->dependencies = {UrnOf("a")}; }));
  CHECK(needs([](State* state) { state->parent = UrnOf("a"); }));
  CHECK(needs([](State* state) { state->deleted_with = UrnOf("a"); }));
  CHECK(needs([](State* state) { state->replace_with = {UrnOf("a")}; }));
  CHECK(needs([](State* state) { state->provider = UrnOf("p", "pulumi:providers:pkg").str() + "::id"; }));
  CHECK_FALSE(DependsOnFailed({Delete(Share(StateOf("a")))}, Rows()));
}

TEST_CASE("a skipped resource counts as a same for a plan, and its provider previews the program's inputs") {
  State draft = StateOf("a");
  draft.inputs = {{"size", 1}};
  Goal goal;
  goal.inputs = {{"size", 2}};
  goal.ignore_changes = {"zone"};
  const Draft made = std::make_shared<State>(draft);
  CHECK(PlanStepForSkipped(nullptr, made)->is_skipped_create());
  const StatePtr old_state = Share(StateOf("a"));
  const StepPtr same = PlanStepForSkipped(old_state, made);
  CHECK(same->op == StepOp::kSame);
  CHECK_FALSE(same->is_skipped_create());

  const StepPtr create = PreviewOfSkipped(nullptr, draft, goal);
  CHECK(create->op == StepOp::kCreate);
  CHECK(DeepEqual(create->new_state->inputs, goal.inputs));
  const StepPtr update = PreviewOfSkipped(old_state, draft, goal);
  CHECK(update->op == StepOp::kUpdate);
  CHECK(update->old_state == old_state);
  CHECK(update->ignore_changes == goal.ignore_changes);
  CHECK(DeepEqual(draft.inputs, {{"size", 1}}));

  State component = draft, provider = draft;
  component.custom = false;
  provider.type = "pulumi:providers:pkg";
  CHECK_FALSE(PreviewOfSkipped(nullptr, component, goal));
  CHECK_FALSE(PreviewOfSkipped(old_state, provider, goal));
}

TEST_CASE("an awaited resource has not failed, and was not created") {
  Status awaited(Code::kUnknown, "resource is awaiting");
  CHECK_FALSE(IsAwaited(awaited));
  awaited.With(AwaitFailed());
  CHECK(IsAwaited(awaited));
  CHECK_FALSE(MayHaveCreated(awaited));
  CHECK(StepFailureText(awaited, /*preview=*/true) == "resource is awaiting");
}

TEST_CASE("a run that failed is summed up, unless its error has said all") {
  const auto summed_up = [](auto change) {
    EndOfRun end;
    change(&end);
    return EndsWithSummaryError(end);
  };
  CHECK(summed_up([](EndOfRun*) {}));
  CHECK_FALSE(summed_up([](EndOfRun* end) { end->status_failed = true; }));
  CHECK(summed_up([](EndOfRun* end) { end->status_failed = end->steps_failed = true; }));
  CHECK(summed_up([](EndOfRun* end) { end->status_failed = end->deletes_refused = true; }));
  CHECK_FALSE(summed_up([](EndOfRun* end) { end->status_failed = end->steps_failed = end->program_failed = true; }));
  CHECK_FALSE(summed_up([](EndOfRun* end) { end->status_failed = end->steps_failed = end->is_import = true; }));
  CHECK_FALSE(summed_up([](EndOfRun* end) { end->registration_failed = true; }));
  CHECK_FALSE(summed_up([](EndOfRun* end) {
    end->registration_failed = end->status_failed = end->steps_failed = end->deletes_refused = true;
  }));
}

TEST_CASE("an error is reported once, and an error of a preview says so") {
  const Status error(Code::kUnknown, "no");
  CHECK(IsReportedSeparately(error));
  CHECK_FALSE(IsReportedSeparately(Status()));
  CHECK_FALSE(IsReportedSeparately(Status::Bail("no")));
  CHECK(StepFailureText(error, false) == "no");
  CHECK(StepFailureText(error, /*preview=*/true) == "Preview failed: no");
}

}  // namespace kingpost::failures_test
