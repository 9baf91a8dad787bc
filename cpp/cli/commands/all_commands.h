// SPDX-License-Identifier: Apache-2.0
// Every command of the program, in the order of --help.
#pragma once

#include "cli/session/command.h"

namespace kingpost {

const Commands& AllCommands();

}  // namespace kingpost
