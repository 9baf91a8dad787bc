// SPDX-License-Identifier: Apache-2.0
// A stack under another name: every URN names the stack, so every reference follows, also those inside property values
// (row 6.15). Pure.
#pragma once

#include "kingpost/state_store.h"
#include "model/snapshot.h"

namespace kingpost {

Snapshot RenamedSnapshot(Snapshot snapshot, const StackName& from, const StackName& to);

}  // namespace kingpost
