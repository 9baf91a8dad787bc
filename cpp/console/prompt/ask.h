// SPDX-License-Identifier: Apache-2.0
// Questions to the person in front of the terminal. Only where session.interactive().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "console/display/terminal.h"
#include "console/prompt/menu.h"

namespace kingpost {

// The index of the chosen item; nothing if the person left.
std::optional<size_t> Choose(const Painter& painter, const std::string& question, std::vector<MenuItem> items,
                             size_t start = 0);

// Text that may be longer than the screen: it scrolls, and q goes back. A text that fits is printed.
void ShowInPager(const Painter& painter, const std::string& text);

// One line of text; nothing at the end of input.
std::optional<std::string> AskForLine(const Painter& painter, const std::string& question);

}  // namespace kingpost
