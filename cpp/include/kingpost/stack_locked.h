// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kingpost {

// The detail of a failure: another process holds the stack. LockedError has it.
struct StackLocked {};

}  // namespace kingpost
