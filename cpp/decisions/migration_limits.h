// SPDX-License-Identifier: Apache-2.0
// When a state migration that changes something is refused (row 11.8). One that changes nothing is
// allowed, because a callback stays in the program and must not block a run in which it has nothing to do.
// Pure.
#pragma once

#include <map>
#include <string>

#include "decisions/migration_scope.h"
#include "decisions/selection.h"
#include "kingpost/engine.h"

namespace kingpost::decisions {

// `successors` of what is recorded now.
Status CheckMigrationAllowed(const Urn& urn, const Operation& operation, const Selection& selection,
                             const std::map<Urn, Urn>& successors);
// The part of it that is about the states themselves.
Status CheckSettled(const Urn& urn, const MigrationScope& scope, const Rows& rows);

}  // namespace kingpost::decisions
