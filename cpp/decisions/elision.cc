// SPDX-License-Identifier: Apache-2.0
#include "decisions/elision.h"

#include <algorithm>

#include "model/resource_fields.h"

namespace kingpost::decisions {

namespace {

template <class T>
bool Same(const T& a, const T& b, const FieldUse&) {
  return a == b;
}
bool Same(const Value& a, const Value& b, const FieldUse&) { return DeepEqual(a, b); }
bool Same(const PropertyMap& a, const PropertyMap& b, const FieldUse&) { return DeepEqual(a, b); }

template <class T>
bool Identical(const T& a, const T& b) {
  return a == b;
}
bool Identical(const Value& a, const Value& b) { return a.SameAs(b); }
bool Identical(const PropertyMap& a, const PropertyMap& b) { return a.SameAs(b); }

std::vector<Urn> Sorted(std::vector<Urn> urns) {
  std::sort(urns.begin(), urns.end());
  return urns;
}
bool Same(const std::vector<Urn>& a, const std::vector<Urn>& b, const FieldUse& use) {
  return a == b || (use.is_set && Sorted(a) == Sorted(b));
}

bool SameOf(Write which, const State& a, const State& b) {
  return !AnyResourceField([&](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kInState) {
      return field.use.write == which && !Same(a.*field.state, b.*field.state, field.use);
    }
    return false;
  });
}

}  // namespace

bool SameNeedsNoWrite(const State& a, const State& b) { return SameOf(Write::kAtOnce, a, b); }

bool SameDescription(const State& a, const State& b) { return SameOf(Write::kAtEnd, a, b); }

bool IsIdentical(const State& a, const State& b) {
  return !AnyResourceField([&](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kInState) return !Identical(a.*field.state, b.*field.state);
    return false;
  });
}

}  // namespace kingpost::decisions
