// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/layout.h"

#include <algorithm>
#include <cstdio>

#include "base/utf8.h"

namespace kingpost::codegen {

namespace {

std::string UnicodeEscape(unsigned code) {
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", code);
  return text;
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// How many bytes the character at `at` has; 0 if it is none. The caller says whether U+2028 and U+2029 end lines
// in its language.
size_t CharacterSize(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return 1;
  const size_t size = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (size == 0 || lead >= 0xF5 || at + size > text.size()) return 0;
  for (size_t i = 1; i < size; ++i) {
    if (!IsUtf8Continuation(text[at + i])) return 0;
  }
  return size;
}

std::string Escape(char c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return UnicodeEscape(static_cast<unsigned char>(c));
  }
}

bool EndsLine(std::string_view character) {
  return character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9" || character == "\xC2\x85" ||
         character == "\xEF\xBB\xBF";
}

std::string EscapeLineEnd(std::string_view character) {
  if (character == "\xC2\x85") return UnicodeEscape(0x85);
  return UnicodeEscape(character == "\xEF\xBB\xBF" ? 0xFEFF : character == "\xE2\x80\xA8" ? 0x2028 : 0x2029);
}

std::string EscapeAll(std::string_view text, std::string_view escaped, bool keep_lines) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t size = CharacterSize(text, at);
    const std::string_view character = text.substr(at, std::max<size_t>(size, 1));
    at += character.size();
    if (size == 0) {
      out += "\xEF\xBF\xBD";
    } else if (escaped.find(character) != std::string_view::npos && size == 1) {
      out += '\\';
      out += character;
    } else if (size == 1 && IsControl(character[0]) && !(keep_lines && character[0] == '\n')) {
      out += Escape(character[0]);
    } else if (EndsLine(character)) {
      out += EscapeLineEnd(character);
    } else {
      out += character;
    }
  }
  return out;
}

}  // namespace

std::string Indent(int depth) { return std::string(static_cast<size_t>(depth) * 4, ' '); }

std::string Bracketed(Brackets brackets, const std::vector<std::string>& elements, int depth, bool spaced,
                      size_t columns_before) {
  if (elements.empty()) return std::string(brackets.open) + brackets.close;
  std::string line;
  for (const std::string& element : elements) line += (line.empty() ? "" : ", ") + element;
  const bool fits =
      Indent(depth).size() + columns_before + line.size() <= kLineMax && line.find('\n') == std::string::npos;
  if (fits) {
    const char* space = spaced ? " " : "";
    return brackets.open + (space + line) + space + brackets.close;
  }
  std::string text = std::string(brackets.open) + "\n";
  for (const std::string& element : elements) text += Indent(depth + 1) + element + ",\n";
  return text + Indent(depth) + brackets.close;
}

std::string Quoted(std::string_view text) { return "\"" + EscapeAll(text, "\"\\", false) + "\""; }

std::string EscapedLines(std::string_view text, std::string_view escaped) { return EscapeAll(text, escaped, true); }

bool IsProse(std::string_view text) {
  const auto lines = std::count(text.begin(), text.end(), '\n');
  return lines > 1 || (lines == 1 && text.back() != '\n');
}

}  // namespace kingpost::codegen
