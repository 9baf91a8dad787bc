// SPDX-License-Identifier: Apache-2.0
// Every way in which one state names another, in one place (rows 4.2, 7.11).
#pragma once

#include <string>
#include <string_view>

#include "model/resource.h"

namespace kingpost {

enum class ReferenceKind { kParent, kDependency, kPropertyDependency, kDeletedWith, kReplaceWith };

// Calls f(kind, urn, property key or "") for each, in this order; unset ones are left out. The provider is not among
// them: it is a reference with an ID.
template <class F>
void ForEachReference(const State& state, const F& f) {
  if (!state.parent.empty()) f(ReferenceKind::kParent, state.parent, std::string());
  for (const Urn& urn : state.dependencies) {
    if (!urn.empty()) f(ReferenceKind::kDependency, urn, std::string());
  }
  for (const auto& [key, urns] : state.property_dependencies) {
    for (const Urn& urn : urns) {
      if (!urn.empty()) f(ReferenceKind::kPropertyDependency, urn, key);
    }
  }
  if (!state.deleted_with.empty()) f(ReferenceKind::kDeletedWith, state.deleted_with, std::string());
  for (const Urn& urn : state.replace_with) {
    if (!urn.empty()) f(ReferenceKind::kReplaceWith, urn, std::string());
  }
}

// The other way round: takes all references away, and puts one back. What is put back in the order of
// ForEachReference stands as it stood.
void ClearReferences(State* state);
void AddReference(ReferenceKind kind, const Urn& urn, const std::string& key, State* state);

// The URN in a provider reference without parsing it: what is before the last "::". "" if there is none.
inline std::string_view ProviderUrnText(std::string_view reference) {
  const size_t split = reference.rfind("::");
  return split == reference.npos ? std::string_view() : reference.substr(0, split);
}

}  // namespace kingpost
