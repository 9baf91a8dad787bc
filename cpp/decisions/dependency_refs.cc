// SPDX-License-Identifier: Apache-2.0
#include "decisions/dependency_refs.h"

namespace kingpost::decisions {

std::vector<DependencyRef> AllDependencies(const State& state) {
  using Kind = DependencyRef::Kind;
  std::vector<DependencyRef> refs;
  if (!state.parent.empty()) refs.push_back({Kind::kParent, state.parent, ""});
  for (const Urn& urn : state.dependencies) {
    if (!urn.empty()) refs.push_back({Kind::kDependency, urn, ""});
  }
  for (const auto& [key, urns] : state.property_dependencies) {
    for (const Urn& urn : urns) {
      if (!urn.empty()) refs.push_back({Kind::kProperty, urn, key});
    }
  }
  if (!state.deleted_with.empty()) refs.push_back({Kind::kDeletedWith, state.deleted_with, ""});
  for (const Urn& urn : state.replace_with) {
    if (!urn.empty()) refs.push_back({Kind::kReplaceWith, urn, ""});
  }
  return refs;
}

Urn ProviderUrn(const State& state) {
  if (state.provider.empty()) return {};
  auto ref = ProviderReference::Parse(state.provider);
  return ref.ok() ? ref->urn : Urn();
}

}  // namespace kingpost::decisions
