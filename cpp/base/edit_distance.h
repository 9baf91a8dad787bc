// SPDX-License-Identifier: Apache-2.0
// How far apart two words are, for "did you mean". Any thread.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace kingpost {

// The least number of letters to insert, to remove and to exchange; an exchange counts as `exchange`.
inline size_t EditDistance(std::string_view left, std::string_view right, size_t exchange = 1) {
  std::vector<size_t> row(right.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= left.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= right.size(); ++j) {
      const size_t exchanged = diagonal + (left[i - 1] == right[j - 1] ? 0 : exchange);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, exchanged});
    }
  }
  return row.back();
}

}  // namespace kingpost
