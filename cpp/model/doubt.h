// SPDX-License-Identifier: Apache-2.0
// What an interrupted run has left in doubt.
#pragma once

#include <cstddef>
#include <vector>

#include "model/snapshot.h"

namespace kingpost {

// The resources whose deletion was begun and not seen to end, as places in the list: they may be gone. Those that are
// to be deleted in any case are left out, and so is what exists in the state alone.
std::vector<size_t> DeletesInDoubt(const Snapshot& snapshot);

}  // namespace kingpost
