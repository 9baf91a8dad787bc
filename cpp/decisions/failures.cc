// SPDX-License-Identifier: Apache-2.0
#include "decisions/failures.h"

#include <algorithm>

#include "decisions/dependency_refs.h"

namespace kingpost::decisions {

bool MayHaveCreated(const Status& error) { return error.detail<MayHaveHappened>() != nullptr; }

bool IsOutcomeUnknown(const Status& error) {
  return error.code() == Code::kInternal || error.code() == Code::kDataLoss || error.code() == Code::kUnknown;
}

int StatusNumberOf(const Status& error, bool partial) {
  constexpr int kOk = 0, kPartialFailure = 1, kUnknown = 2;
  if (partial) return kPartialFailure;
  return IsOutcomeUnknown(error) ? kUnknown : kOk;
}

State StillToBeDone(const State& published, const State& old_state) {
  State kept = published;
  kept.inputs = old_state.inputs;
  return kept;
}

bool StopsTheRun(bool is_protected, const FailureOptions& options) {
  return !is_protected && !options.continue_on_error && !options.ignore_errors;
}

bool IsAnswered(bool continue_on_error, bool run_stopped) { return continue_on_error || !run_stopped; }

bool IsToldOnItsOwn(const Status& error) { return !error.ok() && !error.bail(); }

std::string StepFailureText(const Status& error, bool preview) {
  return (preview ? "Preview failed: " : "") + error.message();
}

bool IsSummedUp(const EndOfRun& end) {
  if (end.registration_failed) return false;
  const bool of_steps = end.steps_failed && !end.program_failed && !end.is_import;
  return !end.status_failed || of_steps || end.deletes_refused;
}

bool NeedsAnyOf(const Chain& chain, const std::unordered_set<Urn>& skipped) {
  if (skipped.empty()) return false;
  const auto is_skipped = [&skipped](const Urn& urn) { return skipped.count(urn) > 0; };
  return std::any_of(chain.begin(), chain.end(),
                     [&](const StepPtr& step) { return DependsOnAny(step->resource(), is_skipped); });
}

}  // namespace kingpost::decisions
