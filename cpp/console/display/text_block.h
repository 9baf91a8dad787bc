// SPDX-License-Identifier: Apache-2.0
// Texts of several lines, and how one became another. Pure.
//
//       script: |
//           #!/bin/sh
//         - echo 1
//         + echo 2
//           … 290 unchanged lines
#pragma once

#include <string>
#include <vector>

namespace kingpost {

struct TextLine {
  enum class Kind { kSame, kDeleted, kInserted, kLeftOut };
  Kind kind = Kind::kSame;
  std::string text;  // printable
};

// With two unchanged lines around each change, or all of them if `full`.
std::vector<TextLine> ChangedText(const std::string& old_text, const std::string& new_text, bool full);
// The first lines of a text and how many follow, or all of them if `full`.
std::vector<TextLine> WholeText(const std::string& text, bool full);

bool HasSeveralLines(const std::string& text);

}  // namespace kingpost
