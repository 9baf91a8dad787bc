// SPDX-License-Identifier: Apache-2.0
// Creates that an earlier run began and did not see end: only a person can say what became of them (row 6.3).
#pragma once

#include "cli/operations/operation_flags.h"
#include "cli/session/session.h"
#include "kingpost/engine.h"
#include "model/snapshot.h"

namespace kingpost {

// Before a refresh in a terminal: asks about each one of `base` of which no flag says anything, and puts the answers
// into the options. Leaving a question leaves the create pending.
void AskAboutPendingCreates(Session& session, const OperationFlags& flags, const Snapshot& base,
                            OperationOptions* options);

// After a refresh: a note that names those that are still pending.
void TellPendingCreates(Session& session, const OperationFlags& flags, const Snapshot& after);

}  // namespace kingpost
