// SPDX-License-Identifier: Apache-2.0
// Escapes the characters that HTML, XML and Markdown take for markup. Pure.
#pragma once

#include <string>

namespace kingpost {

// Appends the entity of `<`, `>` or `&`; false for any other character, of which nothing is appended.
inline bool AppendMarkupEntity(char c, std::string* out) {
  if (c == '<') {
    *out += "&lt;";
  } else if (c == '>') {
    *out += "&gt;";
  } else if (c == '&') {
    *out += "&amp;";
  } else {
    return false;
  }
  return true;
}

}  // namespace kingpost
