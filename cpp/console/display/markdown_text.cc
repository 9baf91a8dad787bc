// SPDX-License-Identifier: Apache-2.0
#include "console/display/markdown_text.h"

#include <algorithm>

#include "base/markup_entities.h"
#include "console/display/sequence_diff.h"
#include "console/display/terminal.h"

namespace kingpost {

namespace {

size_t LongestRun(std::string_view text, char wanted) {
  size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string MarkdownText(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_{}[]()#+-!|~@";
  std::string out;
  for (const char c : Printable(text)) {
    if (AppendMarkupEntity(c, &out)) continue;
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// HTML, because a table's cell ends at a "|" even within backticks.
std::string MarkdownCode(std::string_view text) {
  std::string out = "<code>";
  for (const char c : Printable(text)) {
    if (AppendMarkupEntity(c, &out)) continue;
    switch (c) {
      case '|':
        out += "&#124;";
        break;
      case '`':
        out += "&#96;";
        break;
      case '*':
        out += "&#42;";
        break;
      case '_':
        out += "&#95;";
        break;
      case '~':
        out += "&#126;";
        break;
      case '@':
        out += "&#64;";
        break;
      default:
        out += c;
    }
  }
  return out + "</code>";
}

std::string MarkdownFence(const std::string& text, const char* language) {
  const std::string fence(std::max<size_t>(3, LongestRun(text, '`') + 1), '`');
  return fence + language + "\n" + text + (text.empty() || text.back() != '\n' ? "\n" : "") + fence + "\n";
}

std::string DiffFenceLines(const std::string& lines) {
  std::string out;
  for (const std::string_view line : LinesOf(lines)) {
    const size_t mark = std::min(line.find_first_not_of(' '), line.size());
    const bool is_marked = mark + 1 < line.size() && line[mark + 1] == ' ' &&
                           (line[mark] == '+' || line[mark] == '-' || line[mark] == '~');
    if (!is_marked) {
      out += "  " + std::string(line) + "\n";
      continue;
    }
    out += std::string(1, line[mark] == '~' ? '!' : line[mark]) + " " + std::string(line.substr(0, mark)) +
           std::string(line.substr(mark + 2)) + "\n";
  }
  return out;
}

}  // namespace kingpost
