// SPDX-License-Identifier: Apache-2.0
// The shortest edits between sequences, compared with the length of the longest common subsequence.
#include "console/display/sequence_diff.h"

#include <catch2/catch.hpp>
#include <random>

namespace kingpost::sequence_diff_test {

using Kind = SequenceEdit::Kind;

// The table that everyone knows; slow and right.
size_t LongestCommon(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<std::vector<size_t>> best(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      best[i][j] = a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
    }
  }
  return best[a.size()][b.size()];
}

// Applies the edits and counts what they keep; checks each index on the way.
size_t CheckedKeeps(const std::vector<int>& a, const std::vector<int>& b, const SequenceEdits& edits) {
  size_t i = 0, j = 0, kept = 0;
  for (const SequenceEdit& edit : edits) {
    if (edit.kind != Kind::kInsert) REQUIRE(edit.old_index == i);
    if (edit.kind != Kind::kDelete) REQUIRE(edit.new_index == j);
    if (edit.kind == Kind::kKeep) {
      REQUIRE(a[i] == b[j]);
      ++kept;
    }
    i += edit.kind != Kind::kInsert;
    j += edit.kind != Kind::kDelete;
  }
  REQUIRE(i == a.size());
  REQUIRE(j == b.size());
  return kept;
}

TEST_CASE("the edits between short sequences are the fewest there are", "[cli][diff]") {
  // All pairs of sequences of up to five items out of three.
  std::vector<std::vector<int>> all = {{}};
  for (size_t at = 0; at < all.size(); ++at) {
    if (all[at].size() == 4) continue;
    for (int item = 0; item < 3; ++item) {
      std::vector<int> longer = all[at];
      longer.push_back(item);
      all.push_back(std::move(longer));
    }
  }
  for (const auto& a : all) {
    for (const auto& b : all) REQUIRE(CheckedKeeps(a, b, DiffSequences(a, b)) == LongestCommon(a, b));
  }
}

TEST_CASE("the edits between random sequences are the fewest there are", "[cli][diff]") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto sequence = [&] {
      std::vector<int> items(random() % 60);
      for (int& item : items) item = static_cast<int>(random() % (seed % 7 + 2));
      return items;
    };
    const std::vector<int> a = sequence(), b = sequence();
    CHECK(CheckedKeeps(a, b, DiffSequences(a, b)) == LongestCommon(a, b));
  }
}

TEST_CASE("sequences that have nothing in common are replaced as a whole", "[cli][diff]") {
  std::vector<int> a(3000), b(3000);
  for (int i = 0; i < 3000; ++i) {
    a[static_cast<size_t>(i)] = i;
    b[static_cast<size_t>(i)] = -1 - i;
  }
  CHECK(CheckedKeeps(a, b, DiffSequences(a, b)) == 0);
  b[1500] = 7;
  CHECK(CheckedKeeps(a, b, DiffSequences(a, b)) == 0);
}

TEST_CASE("deletions stand before insertions", "[cli][diff]") {
  const SequenceEdits edits = DiffSequences({1, 2, 3, 4}, {1, 8, 9, 4});
  std::string kinds;
  for (const SequenceEdit& edit : edits) kinds += "=-+"[static_cast<int>(edit.kind)];
  CHECK(kinds == "=--++=");
}

}  // namespace kingpost::sequence_diff_test
