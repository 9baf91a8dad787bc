// SPDX-License-Identifier: Apache-2.0
// The references of a resource that targets, failures and deletes follow.
#pragma once

#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

// One reference of a resource to another, with its reason.
struct DependencyRef {
  enum class Kind { kParent, kDependency, kProperty, kDeletedWith, kReplaceWith } kind;
  Urn urn;
  std::string property;  // of kProperty
};
// Parent, dependencies, property dependencies, deletedWith, replaceWith, in this order; not the provider.
std::vector<DependencyRef> AllDependencies(const State& state);
// The URN of the provider, or "" if there is none.
Urn ProviderUrn(const State& state);
// True if `in(urn)` holds for any of AllDependencies.
template <class Pred>
bool RefersToAny(const State& state, const Pred& in) {
  if (!state.parent.empty() && in(state.parent)) return true;
  for (const Urn& urn : state.dependencies) {
    if (in(urn)) return true;
  }
  for (const auto& [key, urns] : state.property_dependencies) {
    for (const Urn& urn : urns) {
      if (in(urn)) return true;
    }
  }
  if (!state.deleted_with.empty() && in(state.deleted_with)) return true;
  for (const Urn& urn : state.replace_with) {
    if (in(urn)) return true;
  }
  return false;
}
// True if `in(urn)` holds for the provider or any dependency.
template <class Pred>
bool DependsOnAny(const State& state, const Pred& in) {
  const Urn provider = ProviderUrn(state);
  return (!provider.empty() && in(provider)) || RefersToAny(state, in);
}

}  // namespace kingpost::decisions
