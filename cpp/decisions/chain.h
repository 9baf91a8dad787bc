// SPDX-License-Identifier: Apache-2.0
// The one place where a decision becomes steps.
#pragma once

#include "decisions/condemning.h"
#include "decisions/decision.h"
#include "decisions/rows.h"

namespace kingpost::decisions {

struct ChainParts {
  StatePtr old_state;  // null if there is none
  Draft draft;
  const Goal& goal;
  const std::vector<Condemned>* first = nullptr;  // what goes before a replacement, dependents last
};

// The steps in order; empty for decisions that take none, and for Keep, which takes those of StatesToKeep.
Chain ChainFor(const Decision& decision, const ChainParts& parts, const Rows& rows);

}  // namespace kingpost::decisions
