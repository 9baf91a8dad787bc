// SPDX-License-Identifier: Apache-2.0
// Texts without the blanks around them. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

// A part of the text, which it must not outlive.
inline std::string_view TrimmedView(std::string_view text) {
  constexpr char kBlanks[] = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

inline std::string Trimmed(std::string_view text) { return std::string(TrimmedView(text)); }

}  // namespace kingpost
