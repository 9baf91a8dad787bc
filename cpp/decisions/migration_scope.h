// SPDX-License-Identifier: Apache-2.0
// Which recorded states a state migration is about (rows 11.1 and 11.3): the one that the registration continues, and
// all below it. Pure.
#pragma once

#include <string>
#include <vector>

#include "decisions/rows.h"
#include "decisions/run_mode.h"

namespace kingpost::decisions {

// Only an update rewrites what is recorded before it goes on from it. Others pass the callbacks over.
bool MigratesStates(RunMode mode);

// Null if nothing is recorded of it, by its own name or one of its aliases.
StatePtr PriorRoot(const std::string& stack, const std::string& project, const Urn& urn, const Goal& goal,
                   const Rows& rows);

struct MigrationScope {
  std::vector<StatePtr> states;   // the root, then those below it in the order of the record
  std::vector<size_t> places;     // of these in the base
  std::vector<StatePtr> leaving;  // below the root, and waiting for their deletion: no callback sees them
};
MigrationScope ScopeOf(const StatePtr& root, const Rows& rows);

// Fails for what no migration can take part in: views, and what this run has claimed for something else.
Status CheckMigratable(const Urn& urn, const MigrationScope& scope, const Rows& rows);

}  // namespace kingpost::decisions
