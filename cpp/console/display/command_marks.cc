// SPDX-License-Identifier: Apache-2.0
#include "console/display/command_marks.h"

#include "base/command_name.h"

namespace kingpost {

std::string MarkCommands(std::string_view text, const Painter& painter) {
  std::string marked;
  const std::string begin = "`" + std::string(CommandName()) + " ";
  while (!text.empty()) {
    const size_t start = text.find(begin);
    const size_t end = start == std::string_view::npos ? start : text.find('`', start + 1);
    if (end == std::string_view::npos) break;
    marked += text.substr(0, start);
    marked += painter.Paint(Style::kCyan, painter.Bold(text.substr(start, end + 1 - start)));
    text.remove_prefix(end + 1);
  }
  marked += text;
  return marked;
}

}  // namespace kingpost
