// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/watch_screen.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "console/display/text_width.h"

namespace kingpost {

namespace {

constexpr int kHanging = 2;  // the blanks before the rest of a line that is broken

std::string Fitted(const std::string& line, int columns) {
  return columns > 0 ? WrapLines(line, columns, kHanging) : line;
}

// The rows that a line of a text takes, which may be wider than the terminal.
int RowsOf(std::string_view line, int columns) {
  return std::max(1, (DisplayWidth(line) + columns - 1) / std::max(1, columns));
}

int RowsOfAll(std::string_view text, int columns) {
  int rows = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    rows += RowsOf(text.substr(begin, end - begin), columns);
    begin = end + 1;
  }
  return rows;
}

// The lines that fit into so many rows; counts those that do not.
std::string Beginning(const std::string& text, int rows, int columns, int* left) {
  std::string shown;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    rows -= RowsOf(line, columns);
    if (rows >= 0 && *left == 0) {
      shown += line + "\n";
    } else {
      ++*left;
    }
    begin = end + 1;
  }
  return shown;
}

// Without the empty lines at its end.
std::string WithoutEmptyEnd(std::string text) {
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

WatchScreen::WatchScreen(Painter painter, bool on_terminal, bool for_programs)
    : painter_(painter), on_terminal_(on_terminal), for_programs_(for_programs), output_(STDOUT_FILENO) {}

int WatchScreen::columns() const { return on_terminal_ ? SizeOf(STDOUT_FILENO).columns : 0; }

std::string WatchScreen::KeysLine() const {
  const std::string deploy = page_.can_deploy ? "u deploys this plan   " : "";
  return painter_.Paint(Style::kDim, deploy + "d details   r refresh   q quit");
}

void WatchScreen::Draw(bool below) {
  const TerminalSize size = SizeOf(STDOUT_FILENO);
  drawn_for_ = size;
  const std::string title = Fitted(page_.title, size.columns), keys = Fitted(KeysLine(), size.columns);
  // Beside the plan: an empty line above and below it, the line that tells of the rest, and that of the cursor.
  const int beside = RowsOfAll(title, size.columns) + RowsOfAll(keys, size.columns) + 4;
  int left = 0;
  std::string shown =
      Beginning(WithoutEmptyEnd(page_.body(size.columns)), std::max(1, size.rows - beside), size.columns, &left);
  if (left > 0) {
    const std::string rest = std::to_string(left) + (left == 1 ? " more line" : " more lines") + ": d shows all";
    shown += painter_.Paint(Style::kDim, Truncate(rest, size.columns)) + "\n";
  }
  output_.Write((below ? "\n" : "\x1b[H\x1b[2J") + title + "\n\n" + shown + "\n" + keys + "\n");
}

void WatchScreen::Show(WatchPage page) {
  page_ = std::move(page);
  if (on_terminal_) return Draw(false);
  Tell(page_.title + "\n" + page_.body(0));
}

void WatchScreen::ShowBelow(WatchPage page) {
  page_ = std::move(page);
  if (on_terminal_) return Draw(true);
  Tell(page_.title + "\n" + page_.body(0));
}

void WatchScreen::PrintKeys() {
  if (on_terminal_) output_.Write("\n" + Fitted(KeysLine(), columns()) + "\n");
}

void WatchScreen::Fit() {
  if (!on_terminal_ || !page_.body) return;
  const TerminalSize size = SizeOf(STDOUT_FILENO);
  if (size.columns != drawn_for_.columns || size.rows != drawn_for_.rows) Draw(false);
}

void WatchScreen::Tell(const std::string& text) {
  if (for_programs_) {
    Output(STDERR_FILENO).Write(text);
  } else {
    output_.Write(text);
  }
}

void WatchScreen::PrintPlanning() {
  if (on_terminal_) output_.Write("\r" + painter_.Paint(Style::kDim, "planning...") + "\x1b[K");
}

void WatchScreen::Clear() {
  if (on_terminal_) output_.Write("\x1b[H\x1b[2J");
}

void WatchScreen::End() {
  if (on_terminal_) output_.Write("\n");
}

}  // namespace kingpost
