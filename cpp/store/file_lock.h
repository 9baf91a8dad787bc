// SPDX-License-Identifier: Apache-2.0
// The lock of a stack as files in a folder, one per holder, as the reference writes them. A process that finds
// another's file before or after writing its own has lost. Both tools therefore keep each other out.
//
// Beyond that, processes of Kingpost take turns by flock() on the folder while they look and write. So exactly one of
// two simultaneous processes wins, and takes over locks of processes that are certainly dead.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kingpost/state_store.h"

namespace kingpost {

// folder: where the locks of this stack are. stack: for messages.
Result<std::unique_ptr<StackLock>> AcquireFileLock(const std::string& folder, const std::string& stack);
Result<std::vector<LockHolder>> ListFileLocks(const std::string& folder);
Result<int> RemoveFileLocks(const std::string& folder);

}  // namespace kingpost
