// SPDX-License-Identifier: Apache-2.0
// What an operation leaves on the disk: the checkpoint, the history, a backup; or, if that fails, a copy elsewhere.
#pragma once

#include <functional>

#include "cli/metadata/update_metadata.h"
#include "cli/operation_run.h"
#include "journal/journal.h"

namespace kingpost {

// Saves the new snapshot, if there is one, removes the journal, and appends to the history. What the history tells of
// the commit and the like is asked for once the state is safe: a slow repository holds up nothing else.
Status RecordOutcome(Session& session, const OperationFlags& flags, OperationSetup* setup, const RunOutcome& outcome,
                     const std::function<UpdateMetadata()>& metadata, Journal& journal);

}  // namespace kingpost
