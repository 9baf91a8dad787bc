// SPDX-License-Identifier: Apache-2.0
// Which recorded resource a URN on the command line means, and what to say of one that means none (row 6.12).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "model/snapshot.h"

namespace kingpost {

// The live resource: what waits for its deletion is left alone.
Result<StatePtr> FindLiveState(const Snapshot& snapshot, const std::string& urn);

// The only resource, be it live or not; several of one URN are an error that names their IDs.
Result<StatePtr> FindOnlyState(const Snapshot& snapshot, const std::string& urn);

}  // namespace kingpost
