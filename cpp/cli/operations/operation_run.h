// SPDX-License-Identifier: Apache-2.0
// One run of the engine, as a preview or for real, with everything that watches it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "cli/operations/early_processes.h"
#include "cli/operations/operation_setup.h"
#include "cli/timings/step_times.h"
#include "cli/timings/timings.h"
#include "console/display/progress.h"
#include "kingpost/engine.h"
#include "operation/other_stacks.h"
#include "operation/reason_log.h"

namespace kingpost {

class GitRepositories;
class ProcessSupervisor;
class ProgramForks;

// The differences of a run that is one of many in this process (cli/fleet, cli/watch). A member that is null means what
// a single run does, but for `signal_scope`.
struct SharedRun {
  using References = decltype(Operation::load_stack);

  std::function<std::unique_ptr<EventConsumer>(const OperationSetup& setup, bool preview)> display;
  // The cancellation gets signals for the lifetime of the returned object.
  std::function<std::shared_ptr<void>(std::shared_ptr<Cancellation> cancellation)> signal_scope;
  // How other stacks are read. What it answers is gone before the loop.
  std::function<References(Loop& loop, OtherStacks& others)> references;
  std::shared_ptr<ProcessSupervisor> supervisor;
  std::shared_ptr<GitRepositories> git;
  std::shared_ptr<ProgramForks> forks;
};

struct RunOutcome {
  OperationResult result;
  ReasonLog reasons;
  std::vector<ProviderSpec> providers;  // that were started
  bool terminated = false;              // by a second signal
  std::string first_error;              // of the run, else of a resource; "" if there was none
  bool resource_failed = false;         // other than a reference to a stack
  std::unique_ptr<Timings> timings;     // with --timings, logs and traces; what follows the run may add to it
  std::unique_ptr<StepTimes> steps;     // the same
};

// A value of OperationFlags::output that no flag gives: lines of progress, on standard error.
inline constexpr char kOutputToStandardError[] = "(standard error)";

// Another: nothing at all, because `details` shows what there is to be seen.
inline constexpr char kNoOutput[] = "(nothing)";

// recorder: null for previews. details: also told of the steps, if not null. early: what has been begun for this run.
RunOutcome RunOnce(Session& session, const OperationFlags& flags, const OperationSetup& setup, EarlyProcesses early,
                   bool preview, Loop& loop, Recorder* recorder, EventSink* details);

// The person in front of the terminal sees the display, and not a document for programs.
bool IsShownOnTerminal(const OperationFlags& flags);

// The tables of --timings, if they were asked for: on standard error where standard output is JSON. Fails where its
// file could not be written.
Status PrintTimings(Session& session, const OperationFlags& flags, const RunOutcome& outcome, bool preview);

DisplayOptions DisplayOf(const Session& session, const OperationFlags& flags, const OperationSetup& setup,
                         bool preview);

}  // namespace kingpost
