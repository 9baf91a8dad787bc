// SPDX-License-Identifier: Apache-2.0
#include "console/prompt/menu.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "console/display/text_width.h"

namespace kingpost {

namespace {

constexpr int kPage = 10;
constexpr char kMenuHelp[] = "arrows move, letters filter, Enter chooses, q leaves";

// So that notes stand below each other.
int WidestWithNote(const std::vector<MenuItem>& items) {
  int widest = 0;
  for (const MenuItem& item : items) {
    if (!item.note.empty()) widest = std::max(widest, DisplayWidth(item.label));
  }
  return widest;
}

}  // namespace

Menu::Menu(std::string question, std::vector<MenuItem> items, size_t start)
    : question_(std::move(question)), items_(std::move(items)) {
  Filter();
  cursor_ = std::min(start, items_.empty() ? 0 : items_.size() - 1);
}

std::optional<size_t> Menu::current() const {
  if (passing_.empty()) return std::nullopt;
  return passing_[cursor_];
}

// Items that start with the typed text come before those that merely contain it, so that "y" and Enter mean yes.
void Menu::Filter() {
  passing_.clear();
  const std::string typed = Lowered(filter_);
  for (size_t i = 0; i < items_.size(); ++i) {
    if (Lowered(items_[i].label).rfind(typed, 0) == 0) passing_.push_back(i);
  }
  for (size_t i = 0; i < items_.size(); ++i) {
    const size_t found = Lowered(items_[i].label).find(typed);
    if (found != std::string::npos && found > 0) passing_.push_back(i);
  }
  cursor_ = 0;
}

void Menu::Move(long by) {
  if (passing_.empty()) return;
  const long last = static_cast<long>(passing_.size()) - 1;
  const long to = static_cast<long>(cursor_) + by;
  // One step past an end goes on at the other; a page stops there.
  const bool wraps = by == 1 || by == -1;
  cursor_ = static_cast<size_t>(to < 0 ? (wraps ? last : 0) : to > last ? (wraps ? 0 : last) : to);
}

Menu::State Menu::Press(const Key& key) {
  switch (key.kind) {
    case Key::Kind::kText:
      if (filter_.empty() && key.text == "q") return State::kLeft;
      filter_ += key.text;
      Filter();
      return State::kOpen;
    case Key::Kind::kBackspace:
      while (!filter_.empty() && IsUtf8Continuation(filter_.back())) filter_.pop_back();
      if (!filter_.empty()) filter_.pop_back();
      Filter();
      return State::kOpen;
    case Key::Kind::kClearLine:
      filter_.clear();
      Filter();
      return State::kOpen;
    case Key::Kind::kUp:
      Move(-1);
      return State::kOpen;
    case Key::Kind::kDown:
      Move(1);
      return State::kOpen;
    case Key::Kind::kPageUp:
      Move(-kPage);
      return State::kOpen;
    case Key::Kind::kPageDown:
      Move(kPage);
      return State::kOpen;
    case Key::Kind::kHome:
      Move(-static_cast<long>(items_.size()) - 1);
      return State::kOpen;
    case Key::Kind::kEnd:
      Move(static_cast<long>(items_.size()) + 1);
      return State::kOpen;
    case Key::Kind::kEnter:
      return passing_.empty() ? State::kOpen : State::kChosen;
    case Key::Kind::kEscape:
    case Key::Kind::kInterrupt:
    case Key::Kind::kEndOfInput:
      return State::kLeft;
    case Key::Kind::kOther:
      return State::kOpen;
  }
  return State::kOpen;
}

std::vector<std::string> Menu::Lines(TerminalSize size, const Painter& painter) const {
  std::vector<std::string> lines;
  for (const std::string_view rest = question_; lines.empty();) {
    for (size_t start = 0; start <= rest.size();) {
      const size_t end = std::min(rest.find('\n', start), rest.size());
      for (const std::string& part : WrapWords(rest.substr(start, end - start), size.columns - 1, 0)) {
        lines.push_back(painter.Bold(part));
      }
      start = end + 1;
    }
  }
  lines.back() += filter_.empty() ? "" : " " + painter.Paint(Style::kCyan, Printable(filter_));
  const int room = std::max(1, size.rows - static_cast<int>(lines.size()) - 2);
  const size_t shown = std::min(passing_.size(), static_cast<size_t>(room));
  const size_t first = cursor_ < shown ? 0 : cursor_ - shown + 1;
  const int notes_at = WidestWithNote(items_);
  for (size_t i = first; i < first + shown; ++i) {
    const MenuItem& item = items_[passing_[i]];
    const std::string label = i == cursor_ ? painter.Paint(Style::kCyan, "> " + item.label) : "  " + item.label;
    const std::string gap(std::max(0, notes_at - DisplayWidth(item.label)) + 2, ' ');
    const std::string note = item.note.empty() ? "" : gap + painter.Paint(Style::kDim, item.note);
    lines.push_back(Truncate(label + note, size.columns - 1));
  }
  if (passing_.empty()) lines.push_back("  (no match; Backspace removes letters)");
  const size_t hidden = passing_.size() - shown;
  const std::string more = hidden > 0 ? std::to_string(hidden) + " more; " : "";
  lines.push_back(Truncate(painter.Paint(Style::kDim, more + kMenuHelp), size.columns - 1));
  for (std::string& line : lines) line = Truncate(line, size.columns - 1);
  return lines;
}

std::string Menu::LastLine(State state, const Painter& painter) const {
  const std::string answer =
      state == State::kChosen && current() ? " " + painter.Paint(Style::kCyan, items_[*current()].label) : "";
  return painter.Bold(question_) + answer + "\n";
}

}  // namespace kingpost
