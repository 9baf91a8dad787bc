// SPDX-License-Identifier: Apache-2.0
// The draft of a resource's new state, from what the program asked for (row 3.4).
#pragma once

#include "decisions/step.h"
#include "model/resource.h"

namespace kingpost::decisions {

// `alias` is the old URN the resource was found under, or "". Times and the refresh flag are carried over from
// old_state (may be null); taint starts false, so that a completed replacement untaints.
Draft NewState(const Goal& goal, const Urn& urn, const StatePtr& old_state, const Urn& alias);

// From then on the two share their equal values, which are most of the memory of a large stack with few changes.
void ShareEqual(const State& old_state, State* draft, Goal* goal);

}  // namespace kingpost::decisions
