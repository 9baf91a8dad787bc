// SPDX-License-Identifier: Apache-2.0
// The properties of existing resources that a state migration may not change (row 11.9). It rewrites the record and
// asks no provider. So the successor of a custom resource must stand for the same thing, with the same provider and
// ownership, and be as protected as any of its predecessors. What follows nobody must be a part of a thing that was
// recorded before. Pure.
#pragma once

#include <map>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

// `successors` of those among `original` that are not among `returned` any more.
Status CheckIdentities(const Urn& root, const std::vector<StatePtr>& original, const std::vector<StatePtr>& returned,
                       const std::map<Urn, Urn>& successors);

}  // namespace kingpost::decisions
