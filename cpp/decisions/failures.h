// SPDX-License-Identifier: Apache-2.0
// The meaning of a failure: for the record, the rest of the run, and the dependents of the failed resource (rows 5.6,
// 5.10, 5.11, 5.19). Pure.
#pragma once

#include <string>

#include "decisions/rows.h"
#include "kingpost/create_outcome.h"

namespace kingpost::decisions {

// ---- for the record

// A create of which the answer was lost stays pending: it is not known whether the resource is there.
bool MayHaveCreated(const Status& error);
// Nothing was made, and nothing failed: the resource waits for something.
bool IsAwaited(const Status& error);
// Codes after which it is not known whether the provider did something.
bool IsOutcomeUnknown(const Status& error);
// How an event tells it: the reference's numbers. `partial`: it happened, and is not finished.
int StatusNumberOf(const Status& error, bool partial);
// An update that happened in part: its outputs are true, and it is still to be done, so that the old inputs stay and
// the next run sees a change.
State PartialUpdateState(const State& published, const State& old_state);

// ---- for the run

struct FailureOptions {
  bool continue_on_error = false;
  bool ignore_errors = false;  // of a phase that goes on in any case: a refresh, an import
};
// Whether no further step begins. A protected resource stops nothing, so that every one is told.
bool StopsTheRun(bool is_protected, const FailureOptions& options);
// Whether the program gets the failure of a step; if not, the run ends without an answer.
bool IsAnswered(bool continue_on_error, bool run_stopped);

// ---- for the user: each error is told once, where it is known best

// A bail repeats what has been said.
bool IsReportedSeparately(const Status& error);
// In previews an error of a step says that it is of the preview.
std::string StepFailureText(const Status& error, bool preview);

struct EndOfRun {
  bool status_failed = false;  // what the run itself ended with
  bool steps_failed = false;
  bool deletes_refused = false;
  bool registration_failed = false;
  bool program_failed = false;
  bool is_import = false;
};
// Whether a run that failed ends with an error that says no more than that. One of the program, of a registration or of
// an import has said all; failed steps and refused deletes are summed up.
bool EndsWithSummaryError(const EndOfRun& end);

// ---- for others

// Whether it depends on something that failed or was skipped, its provider included. It is skipped too, and stays as it
// was recorded: neither its provider nor policies nor a plan are asked about inputs that are not what they should be.
bool DependsOnFailed(const State& state, const Rows& rows);
bool DependsOnFailed(const Chain& chain, const Rows& rows);
// The step that stands for it before a plan, which allows a same wherever it allows a change. It is never run.
StepPtr PlanStepForSkipped(const StatePtr& old_state, const Draft& draft);
// Why it is skipped.
ReasonPtr WhySkipped(const State& draft, const Rows& rows);
// The question to the provider of a skipped resource: the outputs of a create or an update in a preview. `wanted`
// are the inputs as the program has them. Null where there is nobody to ask: components have no provider, and a
// provider would have to be configured with what is not known.
StepPtr PreviewOfSkipped(const StatePtr& old_state, const State& draft, const Goal& goal);

}  // namespace kingpost::decisions
