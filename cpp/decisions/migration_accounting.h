// SPDX-License-Identifier: Apache-2.0
// Whether an answer of a state migration accounts for all that its callback was given (row 11.6): each resource is
// returned under its URN, or has a successor that is. So nothing that exists can be forgotten by leaving it out. Pure.
#pragma once

#include <map>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

Status AccountFor(const std::vector<StatePtr>& received, const std::vector<StatePtr>& returned,
                  const std::map<Urn, Urn>& successors);

// The successors that the callbacks of a chain have named, taken together.
struct FinalSuccessors {
  std::map<Urn, Urn> original_successors;  // of what was recorded, and is gone
  std::map<Urn, Urn> all_successors;       // also of what one callback has made and a later one taken away
};
//   A ─▶ B, then B ─▶ C        original_successors {A: C}        all_successors {A: C, B: C}
Result<FinalSuccessors> Resolve(const std::map<Urn, Urn>& named, const std::vector<StatePtr>& original,
                                const std::vector<StatePtr>& returned);

}  // namespace kingpost::decisions
