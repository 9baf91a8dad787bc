// SPDX-License-Identifier: Apache-2.0
#include "console/prompt/pager.h"

#include <algorithm>
#include <vector>

#include "console/display/sequence_diff.h"

namespace kingpost {

namespace {

constexpr int kPagerIndent = 4;
constexpr char kHelp[] = "arrows and pages scroll, q goes back";

}  // namespace

int Pager::Height(int columns) const {
  const std::string wrapped = WrapLines(text_, columns, kPagerIndent);
  return static_cast<int>(LinesOf(wrapped).size());
}

std::string Pager::Screen(TerminalSize size, const Painter& painter) const {
  const std::string wrapped = WrapLines(text_, size.columns, kPagerIndent);
  const std::vector<std::string_view> lines = LinesOf(wrapped);
  const int room = std::max(1, size.rows - 1);
  const int total = static_cast<int>(lines.size());
  const int top = std::clamp(top_, 0, std::max(0, total - room));
  std::string out;
  for (int i = top; i < std::min(total, top + room); ++i) {
    out += Truncate(lines[static_cast<size_t>(i)], size.columns) + "\n";
  }
  const std::string place = std::to_string(top + 1) + " to " + std::to_string(std::min(total, top + room)) + " of " +
                            std::to_string(total) + " lines; " + kHelp;
  return out + painter.Paint(Style::kDim, Truncate(place, size.columns - 1));
}

bool Pager::Press(const Key& key, TerminalSize size) {
  const int room = std::max(1, size.rows - 1);
  const int last = std::max(0, Height(size.columns) - room);
  top_ = std::min(top_, last);
  switch (key.kind) {
    case Key::Kind::kEscape:
    case Key::Kind::kInterrupt:
    case Key::Kind::kEndOfInput:
      return false;
    case Key::Kind::kText:
      if (key.text == "q") return false;
      if (key.text == " ") top_ += room;
      if (key.text == "j") ++top_;
      if (key.text == "k") --top_;
      break;
    case Key::Kind::kDown:
    case Key::Kind::kEnter:
      ++top_;
      break;
    case Key::Kind::kUp:
      --top_;
      break;
    case Key::Kind::kPageDown:
      top_ += room;
      break;
    case Key::Kind::kPageUp:
      top_ -= room;
      break;
    case Key::Kind::kHome:
      top_ = 0;
      break;
    case Key::Kind::kEnd:
      top_ = last;
      break;
    case Key::Kind::kBackspace:
    case Key::Kind::kClearLine:
    case Key::Kind::kOther:
      break;
  }
  top_ = std::clamp(top_, 0, last);
  return true;
}

}  // namespace kingpost
