// SPDX-License-Identifier: Apache-2.0
// Compares two states, their names and the names that they refer to.
#pragma once

#include "model/resource.h"

namespace kingpost::testing {

inline bool SameNames(const State& a, const State& b) {
  return a.urn == b.urn && a.type == b.type && a.parent == b.parent && a.provider == b.provider &&
         a.dependencies == b.dependencies && a.property_dependencies == b.property_dependencies &&
         a.deleted_with == b.deleted_with && a.replace_with == b.replace_with && a.aliases == b.aliases;
}

inline bool SameNames(const std::vector<StatePtr>& a, const std::vector<StatePtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const StatePtr& x, const StatePtr& y) { return SameNames(*x, *y); });
}

}  // namespace kingpost::testing
