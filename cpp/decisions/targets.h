// SPDX-License-Identifier: Apache-2.0
// What the user restricted the run to: URNs and patterns (rows 3.32, 3.35, 3.36).
//
// In a pattern, "*" stands for any run of characters other than ':' and "**" for anything; patterns are anchored.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

class UrnPatterns {
 public:
  UrnPatterns() = default;
  explicit UrnPatterns(const std::vector<std::string>& texts);

  // True if the user gave any; URNs added later do not count.
  bool constrained() const { return constrained_; }
  // Without constraints, everything is contained.
  bool Contains(const Urn& urn) const;
  const std::vector<Urn>& literals() const { return literals_; }  // as given, in order
  void Add(const Urn& urn) { set_.insert(urn); }

 private:
  bool constrained_ = false;
  std::vector<Urn> literals_;
  std::unordered_set<Urn> set_;
  std::vector<std::string> patterns_;
};

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
