// SPDX-License-Identifier: Apache-2.0
#include "console/display/list_diff.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>

#include "console/display/sequence_diff.h"
#include "console/display/value_hash.h"

namespace kingpost {

namespace {

using ChangeKind = ListChange::Kind;

// Keys by which people and providers name the items of a list.
constexpr const char* kNamingKeys[] = {"name", "key", "id", "urn", "arn", "Sid", "sid", "Name", "Id", "Key"};

size_t Index(int index) { return static_cast<size_t>(index); }

const std::string* TextAt(const Value& item, const char* key) {
  const Value* value = item.is_object() ? item.as_object().Find(key) : nullptr;
  return value && value->is_string() ? &value->as_string() : nullptr;
}

bool AreNamedAlike(const Value& a, const Value& b) {
  for (const char* key : kNamingKeys) {
    const std::string* one = TextAt(a, key);
    const std::string* other = TextAt(b, key);
    if (one && other) return *one == *other;
  }
  return false;
}

// Equal items get equal numbers.
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
    auto& alike = known_[HashOf(item)];
    for (const auto& [known, number] : alike) {
      if (same_(*known, item)) return number;
    }
    alike.emplace_back(&item, next_);
    return next_++;
  }

  const std::function<bool(const Value&, const Value&)>& same_;
  std::unordered_map<size_t, std::vector<std::pair<const Value*, int>>> known_;
  int next_ = 0;
};

using ListChanges = std::vector<ListChange>;

// Inserted items by what may join a removed one to them, in their order.
class Insertions {
 public:
  void Add(const std::string& by, size_t change) { waiting_[by].push_back(change); }

  // The first that is still inserted and that `belongs` takes.
  std::optional<size_t> Find(const std::string& by, const ListChanges& changes,
                             const std::function<bool(size_t)>& belongs) {
    const auto found = waiting_.find(by);
    if (found == waiting_.end()) return std::nullopt;
    std::deque<size_t>& queue = found->second;
    while (!queue.empty() && changes[queue.front()].kind != ChangeKind::kInserted) queue.pop_front();
    for (const size_t at : queue) {
      if (changes[at].kind == ChangeKind::kInserted && belongs(at)) return at;
    }
    return std::nullopt;
  }

 private:
  std::unordered_map<std::string, std::deque<size_t>> waiting_;
};

using FindInsertion = std::function<std::optional<size_t>(const ListChange& removed)>;

// Makes one of each removed and inserted item that belong together: the insertion stays, the removal goes.
void Join(ListChanges* changes, ChangeKind kind, const FindInsertion& find) {
  for (ListChange& removed : *changes) {
    if (removed.kind != ChangeKind::kRemoved) continue;
    const std::optional<size_t> inserted = find(removed);
    if (!inserted) continue;
    (*changes)[*inserted] = {kind, removed.old_index, (*changes)[*inserted].new_index};
    removed.old_index = -1;  // taken
    removed.kind = ChangeKind::kSame;
  }
  changes->erase(std::remove_if(changes->begin(), changes->end(),
                                [](const ListChange& c) { return c.old_index < 0 && c.new_index < 0; }),
                 changes->end());
}

void JoinMoved(const std::vector<int>& old_items, const std::vector<int>& new_items, ListChanges* changes) {
  Insertions insertions;
  for (size_t i = 0; i < changes->size(); ++i) {
    const ListChange& change = (*changes)[i];
    if (change.kind == ChangeKind::kInserted) insertions.Add(std::to_string(new_items[Index(change.new_index)]), i);
  }
  Join(changes, ChangeKind::kMoved, [&](const ListChange& removed) {
    return insertions.Find(std::to_string(old_items[Index(removed.old_index)]), *changes, [](size_t) { return true; });
  });
}

void JoinNamedAlike(const Array& old_list, const Array& new_list, ListChanges* changes) {
  Insertions insertions;
  const auto name = [](const char* key, const std::string& text) { return std::string(key) + "=" + text; };
  for (size_t i = 0; i < changes->size(); ++i) {
    if ((*changes)[i].kind != ChangeKind::kInserted) continue;
    for (const char* key : kNamingKeys) {
      if (const auto* text = TextAt(new_list[Index((*changes)[i].new_index)], key)) insertions.Add(name(key, *text), i);
    }
  }
  Join(changes, ChangeKind::kChanged, [&](const ListChange& removed) {
    const Value& item = old_list[Index(removed.old_index)];
    std::optional<size_t> first;
    for (const char* key : kNamingKeys) {
      const std::string* text = TextAt(item, key);
      if (!text) continue;
      const auto found = insertions.Find(name(key, *text), *changes, [&](size_t at) {
        return AreNamedAlike(item, new_list[Index((*changes)[at].new_index)]);
      });
      if (found && (!first || *found < *first)) first = found;
    }
    return first;
  });
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
  JoinMoved(old_items, new_items, &changes);
  JoinNamedAlike(old_list, new_list, &changes);
  JoinInPlace(&changes);
  return changes;
}

}  // namespace kingpost
