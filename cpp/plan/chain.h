// SPDX-License-Identifier: Apache-2.0
// The one place where a decision becomes steps.
#pragma once

#include "plan/condemning.h"
#include "plan/decision.h"
#include "plan/rows.h"

namespace kingpost::plan {

struct ChainParts {
  StatePtr old_state;  // null if there is none
  Draft draft;
  const Goal& goal;
  const std::vector<Condemned>* first = nullptr;  // what goes before a replacement, dependents last
};

// The steps in order; empty for decisions that take none, and for Keep, which takes those of KeptTogether.
Chain ChainFor(const Decision& decision, const ChainParts& parts, const Rows& rows);

}  // namespace kingpost::plan
