// SPDX-License-Identifier: Apache-2.0
// Operations that an earlier run began and did not see end (row 6.3): their message, their outcome, and how long they
// stay pending. Pure.
//
//   create   kept until the user says what became of it, by adopting or clearing it
//   delete   kept, as a doubt, until its resource has been read
//   others   forgotten with the next run: what became of them shows when the resource is read
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kingpost/engine.h"
#include "model/snapshot.h"

namespace kingpost::decisions {

// The warning that names them, before a run that reads nothing; "" if there are none.
std::string InterruptedText(const std::vector<PendingOperation>& pending);

// What the options say of interrupted creates. Those that took place are recorded with their IDs, for a refresh to read
// the rest; a resource that is recorded with that ID already stays as it is. Null: nothing to do. `unknown` gets the
// URNs with an ID that no interrupted create has.
Result<std::shared_ptr<const Snapshot>> ResolvePendingCreates(const Snapshot& base, const OperationOptions& options,
                                                              std::vector<Urn>* unknown);

// The resources whose deletion was begun and not seen to end, as places in the list: they may be gone. Those that are
// to be deleted in any case are left out, and so is what exists in the state alone.
std::vector<size_t> DeletesInDoubt(const Snapshot& snapshot);
// Whether such a doubt is still one at the end of a run that has not read the resource.
bool IsStillInDoubt(const State& doubted);

// Whether the next record keeps it among the pending operations, whatever the run has done.
bool IsKeptPending(const PendingOperation& recorded);

}  // namespace kingpost::decisions
