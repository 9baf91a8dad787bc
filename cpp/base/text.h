// SPDX-License-Identifier: Apache-2.0
// Texts put together, taken apart and changed. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kingpost {

// The items of a list, each as `spelled` says.
template <class List, class Spelled>
std::string Joined(const List& items, std::string_view between, const Spelled& spelled) {
  std::string joined;
  bool first = true;
  for (const auto& item : items) {
    if (!first) joined += between;
    joined += spelled(item);
    first = false;
  }
  return joined;
}
template <class List>
std::string Joined(const List& texts, std::string_view between) {
  return Joined(texts, between, [](const std::string& text) -> const std::string& { return text; });
}

// One part more than there are separators; parts may be empty.
inline std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

inline std::string Replaced(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// With small letters. ASCII: other letters stay as they are.
inline std::string Lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace kingpost
