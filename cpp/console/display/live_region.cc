// SPDX-License-Identifier: Apache-2.0
#include "console/display/live_region.h"

#include <algorithm>

namespace kingpost {

// A terminal that became narrower has folded long lines, so that they stand in more rows than they were drawn in.
std::string LiveRegion::Erase(TerminalSize size) {
  if (widths_.empty()) return "";
  const int columns = std::max(1, size.columns);
  int up = 0;
  for (const int width : widths_) up += std::max(1, (width + columns - 1) / columns);
  widths_.clear();
  return "\x1b[" + std::to_string(std::min(up, std::max(1, size.rows - 1))) + "A\r\x1b[J";
}

void LiveRegion::Draw(const std::string& above, const std::vector<std::string>& lines, TerminalSize size) {
  std::string frame = Erase(size) + above;
  for (const std::string& line : lines) {
    frame += line + "\n";
    widths_.push_back(DisplayWidth(line));
  }
  drawn_columns_ = size.columns;
  drawn_rows_ = size.rows;
  output_.Write(frame);
}

}  // namespace kingpost
