// SPDX-License-Identifier: Apache-2.0
// Which resources of a stack move to another one (row 6.13). Pure; any thread.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "model/snapshot.h"

namespace kingpost {

struct MoveSelection {
  // All states that share one of these URNs go: the live one and those that wait for their deletion.
  std::unordered_set<Urn> moved;
  // References to providers that moved resources use and that do not move themselves: they are copied.
  std::unordered_set<std::string> copied_providers;
  std::vector<std::string> unknown;  // what was asked for and is not there
};

// The resources named, what is below them, with `include_parents` also all that is above them. The root stack and
// providers cannot move by themselves: naming the root stack means all that is below it, naming a provider is an error.
// Providers below a moved resource move with it if nothing that stays needs them.
Result<MoveSelection> SelectResourcesToMove(const std::vector<StatePtr>& resources,
                                            const std::vector<std::string>& urns, bool include_parents);

}  // namespace kingpost
