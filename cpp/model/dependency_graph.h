// Who depends on whom in a list of states (rows 4.2, 4.8, 3.35).
//
// A state depends on its provider, its parent, its dependencies and property dependencies, what it is
// deleted with and what it is replaced with. Built once in O(n + edges); queries walk only what they return.
// Nodes are indices into the list, because several states may share a URN.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/resource.h"

namespace kingpost {

class DependencyGraph {
 public:
  explicit DependencyGraph(std::vector<StatePtr> resources);

  const std::vector<StatePtr>& resources() const { return resources_; }
  int size() const { return static_cast<int>(resources_.size()); }

  // The states that depend on `resource` directly or transitively, in list order. Children count as dependents
  // only when include_children; states with a URN in `ignore` are neither returned nor walked through.
  std::vector<StatePtr> DependingOn(const StatePtr& resource, const std::unordered_set<Urn>& ignore,
                                    bool include_children) const;

  // Direct dependencies, where a dependency on a component also means its transitive children that come
  // earlier in the list (row 4.8).
  std::vector<StatePtr> DependenciesOf(const StatePtr& resource) const;
  std::vector<StatePtr> TransitiveDependenciesOf(const StatePtr& resource) const;
  std::vector<StatePtr> ChildrenOf(const StatePtr& resource) const;  // direct

  // Direct edges as indices, in the sense of DependenciesOf.
  std::vector<int> DependencyIndices(int index) const;
  int IndexOf(const StatePtr& resource) const;  // -1 if not in the list

 private:
  // Direct references of a state (provider, parent, dependencies, ...), as indices.
  const std::vector<int>& references(int index) const { return references_[index]; }

  std::vector<StatePtr> resources_;
  std::unordered_map<const State*, int> index_;
  std::vector<std::vector<int>> references_;  // earlier states this one refers to
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<int>> referrers_;
};

}  // namespace kingpost
