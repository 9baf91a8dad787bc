// SPDX-License-Identifier: Apache-2.0
// The shortest way from one sequence to another, by removing and inserting (E. Myers, 1986). Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kingpost {

struct SequenceEdit {
  enum class Kind { kKeep, kDelete, kInsert };
  Kind kind = Kind::kKeep;
  size_t old_index = 0;  // of what is kept or deleted; else of what comes after
  size_t new_index = 0;  // of what is kept or inserted; else of what comes after
};
using SequenceEdits = std::vector<SequenceEdit>;

// Two sequences as numbers: equal elements are equal numbers. What differs too much to be worth the search (more than
// a thousand edits) is deleted and inserted as a whole. In each stretch of changes the deletions come first.
SequenceEdits DiffSequences(const std::vector<int>& old_items, const std::vector<int>& new_items);

// The lines of a text, without their ends.
std::vector<std::string_view> LinesOf(std::string_view text);
SequenceEdits DiffLines(const std::vector<std::string_view>& old_lines, const std::vector<std::string_view>& new_lines);

}  // namespace kingpost
