// SPDX-License-Identifier: Apache-2.0
// Moves resources from the snapshot of one stack to that of another (row 6.13). Pure; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/references.h"
#include "model/snapshot.h"

namespace kingpost {

struct MoveRequest {
  std::vector<std::string> urns;
  bool include_parents = false;
  std::string dest_stack, dest_project;
};

// Opens the sealed secrets of a state: the two stacks have different keys.
using Reveal = std::function<Result<StatePtr>(const StatePtr&)>;

// A reference that had to go, because its ends are in different stacks now. Both URNs as the source calls them.
struct BrokenReference {
  Urn from;
  ReferenceKind kind = ReferenceKind::kDependency;
  std::string key;  // of a property dependency
  Urn to;
};

struct MoveResult {
  Snapshot source, dest;
  std::vector<Urn> moved;  // as the source calls them, in its order; empty: there is nothing to do
  std::vector<std::string> unknown;
  std::vector<BrokenReference> broken_in_source, broken_in_dest;
};

// Both snapshots must be in order, and both results are. Secrets of moved states have no ciphertext any more, so that
// they are encrypted anew; all others stay sealed. A resource whose parent stays behind becomes a child of the root
// stack. Providers in use are copied, or found again in the destination by ID or by inputs.
Result<MoveResult> MoveResources(const Snapshot& source, const Snapshot& dest, const MoveRequest& request,
                                 const Reveal& reveal_source, const Reveal& reveal_dest);

}  // namespace kingpost
