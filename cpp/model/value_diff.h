// SPDX-License-Identifier: Apache-2.0
// Differences between property maps, structural (for plans and displays) and as detailed diffs (rows 3.19, 8.11, 10.5).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/property_path.h"
#include "model/value.h"

namespace kingpost {

enum class DiffKind { kAdd, kAddReplace, kDelete, kDeleteReplace, kUpdate, kUpdateReplace };  // wire numbers 0..5
const char* DiffKindName(DiffKind kind);  // "add", "add-replace", ...
std::optional<DiffKind> ParseDiffKind(std::string_view name);
DiffKind Promote(DiffKind kind);  // to its replace form
bool IsReplace(DiffKind kind);
DiffKind Invert(DiffKind kind);  // add <-> delete, same replace-ness

struct PropertyDiff {
  DiffKind kind = DiffKind::kUpdate;
  bool input_diff = false;  // old and new are both inputs; else old is an output
};
using DetailedDiff = std::map<std::string, PropertyDiff>;  // by property path text

enum class DiffChanges { kUnknown = 0, kNone = 1, kSome = 2 };

struct ValueDiff;
// Structural difference of two maps: keys only in new, only in old, in both and different.
struct ObjectDiff {
  std::map<std::string, Value> adds, deletes, sames;
  std::map<std::string, ValueDiff> updates;
  bool any() const { return !adds.empty() || !deletes.empty() || !updates.empty(); }
};
struct ArrayDiff {
  std::map<int, Value> adds, deletes, sames;
  std::map<int, ValueDiff> updates;
};
struct ValueDiff {
  Value old_value, new_value;
  std::shared_ptr<const ObjectDiff> object;  // if both are objects
  std::shared_ptr<const ArrayDiff> array;    // if both are arrays
};

// Keys beginning "__" are skipped unless internal_keys. Secrets and outputs are looked through on both sides.
ObjectDiff DiffObjects(const PropertyMap& old_map, const PropertyMap& new_map, bool internal_keys = false);
// Leaf paths with add/delete/update, each marked input_diff.
DetailedDiff ToDetailedDiff(const ObjectDiff& diff, bool input_diff);

}  // namespace kingpost
