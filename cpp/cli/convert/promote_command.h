// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/session/command.h"

namespace kingpost {

void AddStatePromoteCommand(Commands* commands);

}  // namespace kingpost
