// SPDX-License-Identifier: Apache-2.0
// The writers' common tools: lines at a depth, and texts between quotes. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kingpost::codegen {

// Elements each on a line of its own, four columns deeper; on one line if it is short and holds no line break.
// `spaced`: with blanks inside of the brackets.
inline constexpr size_t kLineMax = 100;
std::string Bracketed(const std::string& open, const std::vector<std::string>& elements, const std::string& close,
                      int depth, bool spaced = false, size_t columns_before = 0);

// "text" with \n, \t, \" and \\; other control characters as \u001f. Bytes that are no UTF-8 become U+FFFD.
std::string Quoted(std::string_view text);
// Control characters as \u001f, and `signs` behind a backslash; line breaks as they are, for texts of many lines.
std::string Escaped(std::string_view text, std::string_view signs, bool keep_lines = true);

// Each of `signs` twice, where it stands before one of `before` or that is empty.
std::string Doubled(std::string_view text, std::string_view signs, std::string_view before = "");

// True if it is of several lines and reads well as such.
bool IsProse(std::string_view text);

}  // namespace kingpost::codegen
