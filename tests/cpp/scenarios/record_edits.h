// SPDX-License-Identifier: Apache-2.0
// What `pulumi state` commands and other hands do to the record between two operations: `taint` and `edit` of an act.
#pragma once

#include "model/snapshot.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

// Throws Mistake.
Snapshot EditedRecord(const Names& names, const Json& act, const Snapshot& record);

}  // namespace kingpost::scenarios
