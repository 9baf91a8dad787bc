// SPDX-License-Identifier: Apache-2.0
#include "console/display/list_diff.h"

#include <algorithm>

#include "console/display/sequence_diff.h"

namespace kingpost {

namespace {

using ChangeKind = ListChange::Kind;

// Keys by which people and providers name the items of a list.
constexpr const char* kNamingKeys[] = {"name", "key", "id", "urn", "arn", "Sid", "sid", "Name", "Id", "Key"};

bool AreNamedAlike(const Value& a, const Value& b) {
  if (!a.is_object() || !b.is_object()) return false;
  for (const char* key : kNamingKeys) {
    const Value* one = a.as_object().Find(key);
    const Value* other = b.as_object().Find(key);
    if (one && other && one->is_string() && other->is_string()) return one->as_string() == other->as_string();
  }
  return false;
}

// Equal items get equal numbers. Lists are short; those that are not are compared by what they are made of only once
// per distinct item.
class Numbers {
 public:
  explicit Numbers(const std::function<bool(const Value&, const Value&)>& same) : same_(same) {}

  std::vector<int> Of(const Array& list) {
    std::vector<int> numbers;
    for (const Value& item : list) numbers.push_back(NumberOf(item));
    return numbers;
  }

 private:
  int NumberOf(const Value& item) {
    for (size_t i = 0; i < known_.size(); ++i) {
      if (same_(*known_[i], item)) return static_cast<int>(i);
    }
    known_.push_back(&item);
    return static_cast<int>(known_.size()) - 1;
  }

  const std::function<bool(const Value&, const Value&)>& same_;
  std::vector<const Value*> known_;
};

using ListChanges = std::vector<ListChange>;
using IsPair = std::function<bool(const ListChange& removed, const ListChange& inserted)>;

// Makes one of each removed and inserted item that belong together: the insertion stays, the removal goes.
void Join(ListChanges* changes, ChangeKind kind, const IsPair& belong) {
  for (ListChange& removed : *changes) {
    if (removed.kind != ChangeKind::kRemoved) continue;
    const auto inserted = std::find_if(changes->begin(), changes->end(), [&](const ListChange& change) {
      return change.kind == ChangeKind::kInserted && belong(removed, change);
    });
    if (inserted == changes->end()) continue;
    *inserted = {kind, removed.old_index, inserted->new_index};
    removed.old_index = -1;  // taken
    removed.kind = ChangeKind::kSame;
  }
  changes->erase(std::remove_if(changes->begin(), changes->end(),
                                [](const ListChange& c) { return c.old_index < 0 && c.new_index < 0; }),
                 changes->end());
}

// A stretch of as many removals as insertions is so many changed items.
void JoinInPlace(ListChanges* changes) {
  ListChanges joined;
  for (size_t at = 0; at < changes->size();) {
    size_t removed = at;
    while (removed < changes->size() && (*changes)[removed].kind == ChangeKind::kRemoved) ++removed;
    size_t end = removed;
    while (end < changes->size() && (*changes)[end].kind == ChangeKind::kInserted) ++end;
    if (removed - at == end - removed && removed > at) {
      for (size_t i = 0; i < removed - at; ++i) {
        joined.push_back({ChangeKind::kChanged, (*changes)[at + i].old_index, (*changes)[removed + i].new_index});
      }
    } else {
      end = std::max(end, at + 1);
      joined.insert(joined.end(), changes->begin() + static_cast<long>(at), changes->begin() + static_cast<long>(end));
    }
    at = end;
  }
  *changes = std::move(joined);
}

}  // namespace

std::vector<ListChange> DiffLists(const Array& old_list, const Array& new_list,
                                  const std::function<bool(const Value&, const Value&)>& same) {
  Numbers numbers(same);
  const std::vector<int> old_items = numbers.Of(old_list), new_items = numbers.Of(new_list);
  ListChanges changes;
  for (const SequenceEdit& edit : DiffSequences(old_items, new_items)) {
    const int old_index = static_cast<int>(edit.old_index), new_index = static_cast<int>(edit.new_index);
    switch (edit.kind) {
      case SequenceEdit::Kind::kKeep:
        changes.push_back({ChangeKind::kSame, old_index, new_index});
        break;
      case SequenceEdit::Kind::kDelete:
        changes.push_back({ChangeKind::kRemoved, old_index, -1});
        break;
      case SequenceEdit::Kind::kInsert:
        changes.push_back({ChangeKind::kInserted, -1, new_index});
        break;
    }
  }
  Join(&changes, ChangeKind::kMoved, [&](const ListChange& removed, const ListChange& inserted) {
    return old_items[static_cast<size_t>(removed.old_index)] == new_items[static_cast<size_t>(inserted.new_index)];
  });
  Join(&changes, ChangeKind::kChanged, [&](const ListChange& removed, const ListChange& inserted) {
    return AreNamedAlike(old_list[static_cast<size_t>(removed.old_index)],
                         new_list[static_cast<size_t>(inserted.new_index)]);
  });
  JoinInPlace(&changes);
  return changes;
}

}  // namespace kingpost
