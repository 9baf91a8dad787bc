// SPDX-License-Identifier: Apache-2.0
// Edits of the record between two operations, as `pulumi state` commands and users make them: `taint` and `edit` of an
// act.
#pragma once

#include "model/snapshot.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

// Throws Mistake.
Snapshot EditedRecord(const Names& names, const Json& act, const Snapshot& record);

}  // namespace kingpost::scenarios
