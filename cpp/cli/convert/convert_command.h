// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/session/command.h"

namespace kingpost {

void AddConvertCommand(Commands* commands);

}  // namespace kingpost
