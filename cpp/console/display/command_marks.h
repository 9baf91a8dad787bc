// SPDX-License-Identifier: Apache-2.0
// Commands in texts for people: they stand in backticks everywhere, and are coloured on terminals.
#pragma once

#include <string>
#include <string_view>

#include "console/display/terminal.h"

namespace kingpost {

// The text with what is quoted of this command ("`kingpost up`") in cyan and bold.
std::string MarkCommands(std::string_view text, const Painter& painter);

}  // namespace kingpost
