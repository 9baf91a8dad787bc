// SPDX-License-Identifier: Apache-2.0
#include "decisions/failures.h"

#include <algorithm>

#include "decisions/dependency_refs.h"

namespace kingpost::decisions {

bool MayHaveCreated(const Status& error) { return error.detail<MayHaveHappened>() != nullptr; }

bool IsAwaited(const Status& error) { return error.detail<AwaitFailed>() != nullptr; }

bool IsOutcomeUnknown(const Status& error) {
  return error.code() == Code::kInternal || error.code() == Code::kDataLoss || error.code() == Code::kUnknown;
}

int StatusNumberOf(const Status& error, bool partial) {
  constexpr int kOk = 0, kPartialFailure = 1, kUnknown = 2;
  if (partial) return kPartialFailure;
  return IsOutcomeUnknown(error) ? kUnknown : kOk;
}

State PartialUpdateState(const State& published, const State& old_state) {
  State kept = published;
  kept.inputs = old_state.inputs;
  return kept;
}

bool StopsTheRun(bool is_protected, const FailureOptions& options) {
  return !is_protected && !options.continue_on_error && !options.ignore_errors;
}

bool IsAnswered(bool continue_on_error, bool run_stopped) { return continue_on_error || !run_stopped; }

bool IsReportedSeparately(const Status& error) { return !error.ok() && !error.bail(); }

std::string StepFailureText(const Status& error, bool preview) {
  return (preview && !IsAwaited(error) ? "Preview failed: " : "") + error.message();
}

bool EndsWithSummaryError(const EndOfRun& end) {
  if (end.registration_failed) return false;
  const bool of_steps = end.steps_failed && !end.program_failed && !end.is_import;
  return !end.status_failed || of_steps || end.deletes_refused;
}

bool DependsOnFailed(const State& state, const Rows& rows) {
  // In most runs nothing fails, and nobody's dependencies have to be looked up.
  return rows.AnyFailed() && DependsOnAny(state, [&rows](const Urn& urn) { return rows.HasFailed(urn); });
}

bool DependsOnFailed(const Chain& chain, const Rows& rows) {
  return std::any_of(chain.begin(), chain.end(),
                     [&rows](const StepPtr& step) { return DependsOnFailed(step->resource(), rows); });
}

StepPtr PlanStepForSkipped(const StatePtr& old_state, const Draft& draft) {
  return old_state ? Same(old_state, draft) : SkippedCreate(draft);
}

ReasonPtr WhySkipped(const State& draft, const Rows& rows) {
  Urn failed;
  DependsOnAny(draft, [&](const Urn& urn) {
    if (!rows.HasFailed(urn)) return false;
    failed = urn;
    return true;
  });
  const ReasonPtr cause = rows.WhyDecided(failed);
  return Because(Rule::kDependencyFailed, {}, std::move(failed), cause);
}

StepPtr PreviewOfSkipped(const StatePtr& old_state, const State& draft, const Goal& goal) {
  if (!draft.custom || draft.is_provider()) return nullptr;
  auto wanted = std::make_shared<State>(draft);
  wanted->inputs = goal.inputs;
  wanted->outputs = PropertyMap();
  if (!old_state) return Create(std::move(wanted));
  StepPtr update = Update(old_state, std::move(wanted));
  update->ignore_changes = goal.ignore_changes;
  return update;
}

}  // namespace kingpost::decisions
