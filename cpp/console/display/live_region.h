// SPDX-License-Identifier: Apache-2.0
// The lines at the bottom of a terminal that are drawn again and again; what is printed above them stays.
//
//     what was said        scrolls up, printed once
//     the region           cursor up to its first line, erase below, draw
//
// One thread.
#pragma once

#include <string>
#include <vector>

#include "console/display/output.h"
#include "console/display/terminal.h"

namespace kingpost {

class LiveRegion {
 public:
  explicit LiveRegion(Output* output) : output_(*output) {}

  // Whole lines above, then the region anew: its lines are no wider than the terminal is now.
  void Draw(const std::string& above, const std::vector<std::string>& lines, TerminalSize size);
  // Takes the region away and answers what does so, to be written before anything else.
  std::string Erase(TerminalSize size);
  // The size it was drawn for; a terminal that has another one since has folded the lines.
  bool IsDrawnFor(TerminalSize size) const { return drawn_columns_ == size.columns && drawn_rows_ == size.rows; }

 private:
  Output& output_;
  std::vector<int> widths_;  // of the lines on the screen
  int drawn_columns_ = 0, drawn_rows_ = 0;
};

}  // namespace kingpost
