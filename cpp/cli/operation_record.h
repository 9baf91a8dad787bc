// What an operation leaves on the disk: the checkpoint, the history, a backup; or, if that fails, a copy elsewhere.
#pragma once

#include "cli/metadata/update_metadata.h"
#include "cli/operation_run.h"
#include "journal/journal.h"

namespace kingpost {

// Saves the new snapshot, if there is one, removes the journal, and appends to the history.
Status RecordOutcome(Session& session, const OperationFlags& flags, OperationSetup* setup, const RunOutcome& outcome,
                     const UpdateMetadata& metadata, Journal& journal);

}  // namespace kingpost
