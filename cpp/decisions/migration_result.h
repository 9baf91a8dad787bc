// SPDX-License-Identifier: Apache-2.0
// Whether the states that a migration has made can stand in the record (row 11.11): one tree below the registered
// resource, named after where each stands, that refers to nothing that is not there. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "decisions/migration_scope.h"

namespace kingpost::decisions {

// `result` with all references rewritten; `extensions` are those of the record, by their references.
Status IsSoundResult(const Urn& urn, const MigrationScope& scope, const std::vector<StatePtr>& result, const Rows& rows,
                     const std::map<std::string, std::string>& extensions);

}  // namespace kingpost::decisions
