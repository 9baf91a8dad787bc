// SPDX-License-Identifier: Apache-2.0
// How a list became another: which items were inserted, removed, changed or moved. Pure.
#pragma once

#include <functional>
#include <vector>

#include "model/value.h"

namespace kingpost {

struct ListChange {
  enum class Kind { kSame, kInserted, kRemoved, kChanged, kMoved };
  Kind kind = Kind::kSame;
  int old_index = -1, new_index = -1;  // -1: not in that list
};

// In the order of the new list, what was removed where it stood. An item is changed, not removed and inserted, if it
// is named as before (a key such as name or id) or stands alone in its place.
std::vector<ListChange> DiffLists(const Array& old_list, const Array& new_list,
                                  const std::function<bool(const Value&, const Value&)>& same);

}  // namespace kingpost
