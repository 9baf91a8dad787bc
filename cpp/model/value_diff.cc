// SPDX-License-Identifier: Apache-2.0
// Structural differences of property maps, and the detailed diffs made of them (rows 3.19, 10.5).
// Pure functions; any thread.
#include "model/value_diff.h"

#include <algorithm>
#include <iterator>

namespace kingpost {

namespace {

constexpr const char* kKindNames[] = {"add", "add-replace", "delete", "delete-replace", "update", "update-replace"};

// Compares out of secrets and outputs, but records the values as they are: what is secret stays so in the diff.
const Value& Comparable(const Value& v) {
  static const Value kUnknown = Computed();
  const Value* bare = &v;
  while (bare->is_secret() || bare->is_output()) {
    if (bare->is_output() && !bare->as_output().known) return kUnknown;
    if (bare->is_secret() && bare->as_secret().sealed) return *bare;  // equal if the ciphertexts are
    bare = bare->is_secret() ? &bare->as_secret().element : &bare->as_output().element;
  }
  return *bare;
}

bool HasValue(const Value& v) { return !Comparable(v).is_null(); }

class Differ {
 public:
  explicit Differ(bool internal_keys) : internal_keys_(internal_keys) {}

  // A key that holds null counts as absent.
  ObjectDiff Objects(const PropertyMap& old_map, const PropertyMap& new_map) const {
    ObjectDiff diff;
    for (const auto& [key, old_value] : old_map) {
      if (Skips(key)) continue;
      if (const Value* new_value = new_map.Find(key)) {
        Compare(key, old_value, *new_value, &diff);
      } else if (HasValue(old_value)) {
        diff.deletes.emplace(key, old_value);
      }
    }
    for (const auto& [key, new_value] : new_map) {
      if (!Skips(key) && HasValue(new_value) && !old_map.Has(key)) diff.adds.emplace(key, new_value);
    }
    return diff;
  }

 private:
  bool Skips(const std::string& key) const { return !internal_keys_ && key.compare(0, 2, "__") == 0; }

  void Compare(const std::string& key, const Value& old_value, const Value& new_value, ObjectDiff* diff) const {
    std::optional<ValueDiff> update = Values(old_value, new_value);
    if (!update) {
      diff->sames.emplace(key, old_value);
    } else if (!HasValue(old_value)) {
      diff->adds.emplace(key, new_value);
    } else if (!HasValue(new_value)) {
      diff->deletes.emplace(key, old_value);
    } else {
      diff->updates.emplace(key, std::move(*update));
    }
  }

  std::optional<ValueDiff> Values(const Value& old_value, const Value& new_value) const {
    if (old_value.SameAs(new_value)) return std::nullopt;
    const Value& a = Comparable(old_value);
    const Value& b = Comparable(new_value);
    ValueDiff diff{old_value, new_value, nullptr, nullptr};
    if (a.is_array() && b.is_array()) {
      ArrayDiff array = Arrays(a.as_array(), b.as_array());
      if (array.adds.empty() && array.deletes.empty() && array.updates.empty()) return std::nullopt;
      diff.array = std::make_shared<const ArrayDiff>(std::move(array));
      return diff;
    }
    if (a.is_object() && b.is_object()) {
      ObjectDiff object = Objects(a.as_object(), b.as_object());
      if (!object.any()) return std::nullopt;
      diff.object = std::make_shared<const ObjectDiff>(std::move(object));
      return diff;
    }
    if (DeepEqual(a, b)) return std::nullopt;
    return diff;
  }

  ArrayDiff Arrays(const Array& old_array, const Array& new_array) const {
    ArrayDiff diff;
    const size_t common = std::min(old_array.size(), new_array.size());
    for (size_t i = 0; i < common; ++i) {
      std::optional<ValueDiff> update = Values(old_array[i], new_array[i]);
      if (update) {
        diff.updates.emplace(i, std::move(*update));
      } else {
        diff.sames.emplace(i, old_array[i]);
      }
    }
    for (size_t i = common; i < old_array.size(); ++i) diff.deletes.emplace(i, old_array[i]);
    for (size_t i = common; i < new_array.size(); ++i) diff.adds.emplace(i, new_array[i]);
    return diff;
  }

  const bool internal_keys_;
};

// Walks a diff and notes its leaves under their paths.
class Detailer {
 public:
  Detailer(bool input_diff, DetailedDiff* out) : input_diff_(input_diff), out_(out) {}

  void Object(const ObjectDiff& diff) {
    for (const auto& [key, update] : diff.updates) At(key, [this, &change = update] { Update(change); });
    for (const auto& entry : diff.adds) At(entry.first, [&] { Note(DiffKind::kAdd); });
    for (const auto& entry : diff.deletes) At(entry.first, [&] { Note(DiffKind::kDelete); });
  }

 private:
  template <class Key, class F>
  void At(const Key& key, const F& f) {
    path_.emplace_back(key);
    f();
    path_.pop_back();
  }

  void ArrayElements(const ArrayDiff& diff) {
    for (const auto& [index, update] : diff.updates) At(index, [this, &change = update] { Update(change); });
    for (const auto& entry : diff.adds) At(entry.first, [&] { Note(DiffKind::kAdd); });
    for (const auto& entry : diff.deletes) At(entry.first, [&] { Note(DiffKind::kDelete); });
  }

  void Update(const ValueDiff& diff) {
    if (diff.object) return Object(*diff.object);
    if (diff.array) return ArrayElements(*diff.array);
    const bool had = HasValue(diff.old_value), has = HasValue(diff.new_value);
    Note(has && !had ? DiffKind::kAdd : had && !has ? DiffKind::kDelete : DiffKind::kUpdate);
  }

  void Note(DiffKind kind) { (*out_)[PropertyPath(path_).str()] = PropertyDiff{kind, input_diff_}; }

  const bool input_diff_;
  std::vector<PropertyPath::Element> path_;
  DetailedDiff* const out_;
};

}  // namespace

const char* DiffKindName(DiffKind kind) { return kKindNames[static_cast<int>(kind)]; }

std::optional<DiffKind> ParseDiffKind(std::string_view name) {
  const auto* found = std::find(std::begin(kKindNames), std::end(kKindNames), name);
  if (found == std::end(kKindNames)) return std::nullopt;
  return static_cast<DiffKind>(found - std::begin(kKindNames));
}

// The replace form of each kind has the next number.
DiffKind Promote(DiffKind kind) { return static_cast<DiffKind>(static_cast<int>(kind) | 1); }
bool IsReplace(DiffKind kind) { return (static_cast<int>(kind) & 1) != 0; }

DiffKind Invert(DiffKind kind) {
  switch (kind) {
    case DiffKind::kAdd:
      return DiffKind::kDelete;
    case DiffKind::kAddReplace:
      return DiffKind::kDeleteReplace;
    case DiffKind::kDelete:
      return DiffKind::kAdd;
    case DiffKind::kDeleteReplace:
      return DiffKind::kAddReplace;
    case DiffKind::kUpdate:
    case DiffKind::kUpdateReplace:
      return kind;
  }
  return kind;
}

ObjectDiff DiffObjects(const PropertyMap& old_map, const PropertyMap& new_map, bool internal_keys) {
  return Differ(internal_keys).Objects(old_map, new_map);
}

DetailedDiff ToDetailedDiff(const ObjectDiff& diff, bool input_diff) {
  DetailedDiff out;
  Detailer(input_diff, &out).Object(diff);
  return out;
}

}  // namespace kingpost
