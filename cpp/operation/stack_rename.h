// SPDX-License-Identifier: Apache-2.0
// A stack under another name: every URN names the stack, so every reference follows, also those inside property values
// (row 6.15).
#pragma once

#include <functional>

#include "model/deployment_json.h"
#include "operation/held_stack.h"

namespace kingpost {

// Pure.
Snapshot RenamedSnapshot(Snapshot snapshot, const StackName& from, const StackName& to);

// Gives the stack, whose document is `checkpoint`, another name, which nobody else takes meanwhile. What goes by the
// old name elsewhere follows by `follow`, while both names are held; they are released at the end. Blocking.
Status RenameHeldStack(HeldStack& held, CheckpointDocument checkpoint, const StackName& to,
                       const std::function<Status()>& follow);

}  // namespace kingpost
