// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/layout.h"

#include <algorithm>
#include <cstdio>

#include "base/encoding.h"
#include "base/text.h"

namespace kingpost::codegen {

namespace {

// Also what ends a line, or begins a file, for some languages only.
bool IsControl(uint32_t code) {
  return code < 0x20 || code == 0x7F || code == 0x85 || code == 0x2028 || code == 0x2029 || code == 0xFEFF;
}

std::string Escape(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(code & 0xFFFF));
  return text;
}

std::string Indent(int depth) { return std::string(static_cast<size_t>(depth) * 4, ' '); }

}  // namespace

std::string Bracketed(const std::string& open, const std::vector<std::string>& elements, const std::string& close,
                      int depth, bool spaced, size_t columns_before) {
  if (elements.empty()) return open + close;
  const std::string line = Joined(elements, ", ");
  const bool fits =
      Indent(depth).size() + columns_before + line.size() <= kLineMax && line.find('\n') == std::string::npos;
  const char* space = spaced ? " " : "";
  if (fits) return open + space + line + space + close;
  return open + "\n" + Indent(depth + 1) + Joined(elements, ",\n" + Indent(depth + 1)) + ",\n" + Indent(depth) + close;
}

std::string Quoted(std::string_view text) { return "\"" + Escaped(text, "\"\\", false) + "\""; }

std::string Escaped(std::string_view text, std::string_view signs, bool keep_lines) {
  std::string out;
  for (size_t at = 0, size = 0; at < text.size(); at += std::max<size_t>(size, 1)) {
    size = Utf8Length(text, at);
    const std::string_view character = text.substr(at, size);
    const uint32_t code = size > 1 ? CodePoint(character) : static_cast<unsigned char>(text[at]);
    if (size == 0) {
      out += "\xEF\xBF\xBD";
    } else if (IsControl(code) && !(keep_lines && code == '\n')) {
      out += Escape(code);
    } else {
      if (size == 1 && signs.find(text[at]) != std::string_view::npos) out += '\\';
      out += character;
    }
  }
  return out;
}

std::string Doubled(std::string_view text, std::string_view signs, std::string_view before) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool meant = before.empty() || (i + 1 < text.size() && before.find(text[i + 1]) != std::string_view::npos);
    out.append(meant && signs.find(text[i]) != std::string_view::npos ? 2 : 1, text[i]);
  }
  return out;
}

bool IsProse(std::string_view text) {
  const auto lines = std::count(text.begin(), text.end(), '\n');
  return lines > 1 || (lines == 1 && text.back() != '\n');
}

}  // namespace kingpost::codegen
