// SPDX-License-Identifier: Apache-2.0
// Myers' greedy search over the middle that is left when common beginnings and ends are taken off. Each round d keeps
// the farthest old position on each diagonal k = old - new; walking the rounds back gives the edits.
#include "console/display/sequence_diff.h"

#include <unordered_map>

namespace kingpost {

namespace {

constexpr int kEditsMax = 1000;
using EditKind = SequenceEdit::Kind;

struct Middle {
  const int* old_items;
  const int* new_items;
  int old_size, new_size;
};

// rounds[d][k + d] is how far along the old items diagonal k got with d edits.
using Rounds = std::vector<std::vector<int>>;

int Reach(const Rounds& rounds, int d, int k) { return k < -d || k > d ? -1 : rounds[d][k + d]; }

// True if the best way onto diagonal k in round d is an insertion, coming from k + 1.
bool ComesByInsertion(const Rounds& rounds, int d, int k) {
  return k == -d || (k != d && Reach(rounds, d - 1, k - 1) < Reach(rounds, d - 1, k + 1));
}

// The rounds up to the one that reaches the end; empty if that takes too many.
Rounds Search(const Middle& m) {
  Rounds rounds;
  for (int d = 0; d <= std::min(kEditsMax, m.old_size + m.new_size); ++d) {
    rounds.emplace_back(2 * d + 1, -1);
    for (int k = -d; k <= d; k += 2) {
      int at = 0;
      if (d > 0) {
        at = ComesByInsertion(rounds, d, k) ? Reach(rounds, d - 1, k + 1) : Reach(rounds, d - 1, k - 1) + 1;
      }
      while (at < m.old_size && at - k < m.new_size && at - k >= 0 && m.old_items[at] == m.new_items[at - k]) ++at;
      rounds.back()[k + d] = at;
      if (at >= m.old_size && at - k >= m.new_size) return rounds;
    }
  }
  return {};
}

SequenceEdits Replaced(const Middle& m) {
  SequenceEdits edits;
  for (int i = 0; i < m.old_size; ++i) edits.push_back({EditKind::kDelete, static_cast<size_t>(i), 0});
  for (int i = 0; i < m.new_size; ++i) {
    edits.push_back({EditKind::kInsert, static_cast<size_t>(m.old_size), static_cast<size_t>(i)});
  }
  return edits;
}

SequenceEdits WalkBack(const Middle& m, const Rounds& rounds) {
  SequenceEdits edits;
  int x = m.old_size, y = m.new_size;
  const auto keep_down_to = [&](int start) {
    for (; x > start && y > 0; --x, --y) {
      edits.push_back({EditKind::kKeep, static_cast<size_t>(x - 1), static_cast<size_t>(y - 1)});
    }
  };
  for (int d = static_cast<int>(rounds.size()) - 1; d > 0; --d) {
    const int k = x - y;
    const bool inserts = ComesByInsertion(rounds, d, k);
    const int from = Reach(rounds, d - 1, inserts ? k + 1 : k - 1);
    keep_down_to(inserts ? from : from + 1);
    edits.push_back(inserts ? SequenceEdit{EditKind::kInsert, static_cast<size_t>(x), static_cast<size_t>(y - 1)}
                            : SequenceEdit{EditKind::kDelete, static_cast<size_t>(x - 1), static_cast<size_t>(y)});
    (inserts ? y : x) -= 1;
  }
  keep_down_to(0);
  std::reverse(edits.begin(), edits.end());
  return edits;
}

void DeletionsFirst(SequenceEdits* edits) {
  for (auto at = edits->begin(); at != edits->end();) {
    const auto end = std::find_if(at, edits->end(), [](const SequenceEdit& e) { return e.kind == EditKind::kKeep; });
    std::stable_partition(at, end, [](const SequenceEdit& e) { return e.kind == EditKind::kDelete; });
    at = std::find_if(end, edits->end(), [](const SequenceEdit& e) { return e.kind != EditKind::kKeep; });
  }
}

}  // namespace

SequenceEdits DiffSequences(const std::vector<int>& old_items, const std::vector<int>& new_items) {
  const size_t shorter = std::min(old_items.size(), new_items.size());
  size_t before = 0, after = 0;
  while (before < shorter && old_items[before] == new_items[before]) ++before;
  while (after < shorter - before &&
         old_items[old_items.size() - 1 - after] == new_items[new_items.size() - 1 - after]) {
    ++after;
  }
  const Middle middle{old_items.data() + before, new_items.data() + before,
                      static_cast<int>(old_items.size() - before - after),
                      static_cast<int>(new_items.size() - before - after)};
  SequenceEdits edits;
  for (size_t i = 0; i < before; ++i) edits.push_back({EditKind::kKeep, i, i});
  const Rounds rounds = Search(middle);
  for (SequenceEdit edit : rounds.empty() ? Replaced(middle) : WalkBack(middle, rounds)) {
    edit.old_index += before;
    edit.new_index += before;
    edits.push_back(edit);
  }
  for (size_t i = after; i > 0; --i) edits.push_back({EditKind::kKeep, old_items.size() - i, new_items.size() - i});
  DeletionsFirst(&edits);
  return edits;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

SequenceEdits DiffLines(const std::vector<std::string_view>& old_lines,
                        const std::vector<std::string_view>& new_lines) {
  std::unordered_map<std::string_view, int> numbers;
  const auto numbered = [&](const std::vector<std::string_view>& lines) {
    std::vector<int> items;
    for (const std::string_view line : lines) {
      items.push_back(numbers.emplace(line, static_cast<int>(numbers.size())).first->second);
    }
    return items;
  };
  const std::vector<int> old_items = numbered(old_lines);
  return DiffSequences(old_items, numbered(new_lines));
}

}  // namespace kingpost
