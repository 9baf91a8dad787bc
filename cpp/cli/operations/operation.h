// SPDX-License-Identifier: Apache-2.0
// The common code of preview, up, refresh, destroy and import, from the flags to the exit status:
//
//     settings, lock, recovery, checkpoint ─▶ preview ─▶ question ─▶ run, journal beside it ─▶ checkpoint, history
//
// Main thread, which is the engine thread while the operation runs.
#pragma once

#include "base/status.h"
#include "cli/operations/early_processes.h"
#include "cli/operations/operation_flags.h"
#include "cli/operations/operation_run.h"
#include "cli/session/session.h"

namespace kingpost {

// `begun`: what has been started for it already; nullptr for nothing.
Status RunOperationCommand(Session& session, const OperationFlags& flags, EarlyProcesses* begun = nullptr);

// requiredPulumiVersion of the project; outside of one there is nothing to require.
Status RequireOwnVersion(Session& session);

// The operation itself, on a stack that is held: with its journal, its history and its reasons.
struct JournaledOutcome {
  RunOutcome run;
  Status recorded, released;  // as in RunEndStatus
};
// `details` is also told of the steps, if not null.
JournaledOutcome RunJournaledOnce(Session& session, const OperationFlags& flags, OperationSetup* setup,
                                  EarlyProcesses early, EventSink* details = nullptr);

// After `destroy --remove`: not after a part of it, which --target and --exclude-protected mean.
bool RemovesStack(const OperationFlags& flags, const OperationSetup& setup, const RunOutcome& outcome);

// A preview whose progress goes to standard error, for a command that has something else to print. `steps` gets its
// events.
Status PreviewQuietly(Session& session, const OperationFlags& flags, EventSink* steps);

}  // namespace kingpost
