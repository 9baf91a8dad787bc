// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kingpost {

// Threads that begin from now on have room for the deepest values that are read from the wire, whatever `ulimit -s`
// says.
void RaiseThreadStackSize();

}  // namespace kingpost
