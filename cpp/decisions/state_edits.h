// SPDX-License-Identifier: Apache-2.0
// Edits of the recorded state, for the `state` commands and for programs that use the engine as a library (rows 6.12,
// 6.14). Secrets stay sealed, so none of these needs the passphrase. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "model/snapshot.h"

namespace kingpost::decisions {

// The live resource: what waits for its deletion is left alone. kNotFound names similar URNs.
Result<StatePtr> FindLiveState(const Snapshot& snapshot, const std::string& urn);
// The only resource, be it live or not; several of one URN are an error that names their IDs.
Result<StatePtr> FindOnlyState(const Snapshot& snapshot, const std::string& urn);

// The detail of the status of a refused Forget: what cannot go, and who depends on it. Without dependents, it is
// protected.
struct ForgetRefusal {
  StatePtr resource;
  std::vector<StatePtr> dependents;
};

struct ForgetOptions {
  bool protected_too = false;
  bool dependents_too = false;
  std::vector<Urn>* protected_ones = nullptr;  // gets those that went all the same; may be null
};

// Takes resources out of the record without deleting them. The snapshot must be in order.
Status Forget(const std::vector<StatePtr>& resources, const ForgetOptions& options, Snapshot* snapshot);

// As if the program had renamed it with an alias: whatever refers to the old URN follows. kAlreadyExists if the new
// name is taken.
Status Rename(const StatePtr& resource, const std::string& name, Snapshot* snapshot);

// A new version of one of the snapshot's states in its place.
void Replace(const StatePtr& resource, State next, Snapshot* snapshot);

// Sorts what is in disorder, and drops references to what is not there. Fails if the result is not in order.
Status Repair(Snapshot* snapshot);

}  // namespace kingpost::decisions
