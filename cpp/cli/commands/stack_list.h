// SPDX-License-Identifier: Apache-2.0
// stack ls.
#pragma once

#include "cli/session/command.h"

namespace kingpost {

void AddStackListCommand(Commands* commands);

}  // namespace kingpost
