// SPDX-License-Identifier: Apache-2.0
// stack ls.
#pragma once

#include "cli/command.h"

namespace kingpost {

void AddStackListCommand(Commands* commands);

}  // namespace kingpost
