// SPDX-License-Identifier: Apache-2.0
// A state migration that has been checked and only has to be recorded (rows 11.8 to 11.13). Pure.
#pragma once

#include <utility>
#include <vector>

#include "decisions/migration_chain.h"
#include "decisions/migration_place.h"
#include "decisions/migration_scope.h"

namespace kingpost::decisions {

struct Migration {
  Urn root;
  std::vector<size_t> places;          // in the base: what is replaced
  std::vector<StatePtr> result;        // by this
  std::map<Urn, Urn> successor_names;  // of those that are gone
  Successors successors;
  std::vector<PlacedState> base;  // as it will be
  // States of this run whose references follow, before and after.
  std::vector<std::pair<StatePtr, Draft>> made;
};

// `operation` and the rows are those of the run; nothing of them is changed.
Result<Migration> PrepareMigration(const Urn& urn, const MigrationScope& scope, const MigratedStates& migrated,
                                   const Operation& operation, const Rows& rows);

// The message to the user (row 11.15).
std::string MigratedText(const Migration& migration, bool preview);

}  // namespace kingpost::decisions
