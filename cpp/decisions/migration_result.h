// SPDX-License-Identifier: Apache-2.0
// Whether the record can take the states that a migration has made (row 11.11). They must be one tree below the
// registered resource, each with a name that fits its place, and refer only to existing resources. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "decisions/migration_scope.h"

namespace kingpost::decisions {

// `result` with all references rewritten; `extensions` are those of the record, by their references.
Status CheckMigrationResult(const Urn& urn, const MigrationScope& scope, const std::vector<StatePtr>& result,
                            const Rows& rows, const std::map<std::string, std::string>& extensions);

}  // namespace kingpost::decisions
