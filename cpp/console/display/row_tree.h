// SPDX-License-Identifier: Apache-2.0
// Rows as a tree, children below their parents, and as lines of a table. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "console/display/display_rows.h"

namespace kingpost {

struct TreeLine {
  const DisplayRow* row;
  std::string branch;  // "│  ├─ "
};

// The rows that are wanted and their ancestors.
std::vector<TreeLine> TreeOf(const DisplayRows& rows, const std::function<bool(const DisplayRow&)>& wanted);

struct TableStyle {
  int columns = 80;              // of the terminal
  bool cut = false;              // one line each, cut to the columns; else long ones go on below, broken between words
  const char* state_title = "";  // "Plan" or "Status": a line above says what the columns are; "" if none does
  bool explain = false;          // why each step is taken, below it, if the rows are to say so
};

// Type, name, state and the rest below each other. Types give way first where the columns are few.
std::vector<std::string> TableLines(const DisplayRows& rows, const std::vector<TreeLine>& tree, const TableStyle& look,
                                    DisplayClock::time_point now, const Painter& painter);

}  // namespace kingpost
