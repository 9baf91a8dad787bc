// SPDX-License-Identifier: Apache-2.0
// Declares the command `graph`.
#pragma once

#include "cli/session/command.h"

namespace kingpost {

void AddGraphCommand(Commands* commands);

}  // namespace kingpost
