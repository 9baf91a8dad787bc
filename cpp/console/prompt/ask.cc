// SPDX-License-Identifier: Apache-2.0
#include "console/prompt/ask.h"

#include <unistd.h>

#include <iostream>

#include "base/trim.h"
#include "console/display/live_region.h"
#include "console/prompt/pager.h"
#include "console/prompt/raw_terminal.h"

namespace kingpost {

std::optional<size_t> Choose(const Painter& painter, const std::string& question, std::vector<MenuItem> items,
                             size_t start) {
  Menu menu(question, std::move(items), start);
  Output output(STDOUT_FILENO);
  LiveRegion region(&output);
  RawTerminal terminal;
  if (!terminal.ok()) return std::nullopt;
  Menu::State state = Menu::State::kOpen;
  bool changed = true;
  while (state == Menu::State::kOpen && output.alive()) {
    const TerminalSize size = SizeOf(STDOUT_FILENO);
    if (changed || !region.IsDrawnFor(size)) region.Draw("", menu.Lines(size, painter), size);
    const Key key = terminal.Read();
    changed = key.kind != Key::Kind::kOther;
    state = menu.Press(key);
  }
  output.Write(region.Erase(SizeOf(STDOUT_FILENO)) + FitTo(STDOUT_FILENO, menu.LastLine(state, painter)));
  if (state != Menu::State::kChosen) return std::nullopt;
  return menu.current();
}

void ShowInPager(const Painter& painter, const std::string& text) {
  Pager pager(text);
  Output output(STDOUT_FILENO);
  const auto fits = [&] { return pager.Height(SizeOf(STDOUT_FILENO).columns) < SizeOf(STDOUT_FILENO).rows - 2; };
  if (fits()) return output.Write(text);
  RawTerminal terminal;
  if (!terminal.ok()) return output.Write(text);
  output.Write("\x1b[?1049h");  // a screen of its own: what was there comes back
  bool changed = true;
  TerminalSize drawn;
  while (output.alive()) {
    const TerminalSize size = SizeOf(STDOUT_FILENO);
    if (changed || size.columns != drawn.columns || size.rows != drawn.rows) {
      output.Write("\x1b[H\x1b[2J" + pager.Screen(size, painter));
    }
    drawn = size;
    const Key key = terminal.Read();
    changed = key.kind != Key::Kind::kOther;
    if (!pager.Press(key, size)) break;
  }
  output.Write("\x1b[?1049l");
}

std::optional<std::string> AskForLine(const Painter& painter, const std::string& question) {
  Output output(STDOUT_FILENO);
  output.Write(FitTo(STDOUT_FILENO, painter.Bold(question) + " "));
  std::string line;
  if (!std::getline(std::cin, line)) {
    output.Write("\n");
    return std::nullopt;
  }
  return Trimmed(line);
}

}  // namespace kingpost
