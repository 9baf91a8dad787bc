// SPDX-License-Identifier: Apache-2.0
// What is to become of creates that an earlier run began and did not see end (row 6.3).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/snapshot.h"

namespace kingpost::decisions {

// Those named in `ids` did take place: they are recorded with the ID, for a refresh to read the rest. With `clear`, all
// others did not. Null: nothing to do. `unknown` gets the URNs in `ids` that no interrupted create has.
Result<std::shared_ptr<const Snapshot>> ResolvePendingCreates(const Snapshot& base, bool clear,
                                                              const std::map<Urn, std::string>& ids,
                                                              std::vector<Urn>* unknown);

}  // namespace kingpost::decisions
