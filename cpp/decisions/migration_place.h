// SPDX-License-Identifier: Apache-2.0
// Where the states that a migration has made stand in the record (row 11.13). The engine and the replay of a journal
// ask for it alike, so both come to one order. Pure.
//
//   [P, A, B, C, E]   A and E are replaced by A' and D, C depends on B, which D succeeds
//   [P, C', A', D]    they stand where the last of the old ones stood
//   [P, A', D, C']    what C' depends on comes first
#pragma once

#include <vector>

#include "decisions/successors.h"

namespace kingpost::decisions {

struct PlacedState {
  StatePtr state;
  std::optional<size_t> was;  // its place in the base; none: it is one of the result
};

// `places` are those of the states in `base` that `result` replaces. All others stay, and follow the successors. Fails
// if the result has no order.
Result<std::vector<PlacedState>> PlaceResult(const std::vector<StatePtr>& base, const std::vector<size_t>& places,
                                             const std::vector<StatePtr>& result, const Successors& successors);

}  // namespace kingpost::decisions
