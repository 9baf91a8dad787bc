// SPDX-License-Identifier: Apache-2.0
// Compares the record with the cloud. Its sentences must be true whenever no command works on the stack.
#pragma once

#include <set>

#include "model/snapshot.h"
#include "simulation/reality.h"

namespace kingpost::simulation {

// The facts that a simulation knows beyond the cloud.
struct Knowledge {
  std::set<std::string> acknowledged;  // the IDs that the engine gave to programs
  std::set<std::string> doubtful;      // names of resources that were deleted, while the answer was lost
};

// The first sentence that is not true, or "":
//   lost      what the program was told of, and exists, is recorded
//   orphan    whatever exists is recorded, or a pending operation of its own names it
//   ghost     whatever is recorded exists, or a pending operation names it
std::string LookAtRecord(const Snapshot& record, const std::map<std::string, scenarios::Thing>& cloud,
                         const Knowledge& knowledge);

// Equal for records and clouds from which the next command cannot but do the same; times are left out.
std::string Fingerprint(const Snapshot& record, const std::map<std::string, scenarios::Thing>& cloud);

}  // namespace kingpost::simulation
