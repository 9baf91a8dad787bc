// SPDX-License-Identifier: Apache-2.0
// The dependencies in a list of states (rows 4.2, 4.8, 3.35).
//
// A state depends on its provider, its parent, its dependencies and property dependencies, what it is
// deleted with and what it is replaced with. Built once in O(n + edges); queries walk only what they return.
// Nodes are indices into the list, because several states may share a URN. The list must be in order: what is
// referred to comes first. Immutable; any thread.
#pragma once

#include <functional>
#include <string_view>
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
  // only when include_children; states whose URN `ignore` holds for are neither returned nor walked through.
  std::vector<StatePtr> DependingOn(const StatePtr& resource, const std::function<bool(const Urn&)>& ignore,
                                    bool include_children) const;
  std::vector<StatePtr> DependingOn(const StatePtr& resource, bool include_children) const;

  // Direct dependencies, where a dependency on a component also means its transitive children that come
  // earlier in the list (row 4.8). In list order, as all below.
  std::vector<StatePtr> DependenciesOf(const StatePtr& resource) const;
  // All that must be there for `resource` to be there. Of states that share a URN, a live one means the live one and
  // one that waits for its deletion the others that wait.
  std::vector<StatePtr> TransitiveDependenciesOf(const StatePtr& resource) const;
  std::vector<StatePtr> StatesOf(const Urn& urn) const;              // all that have it
  std::vector<StatePtr> ChildrenOf(const StatePtr& resource) const;  // direct, by URN

  // Direct edges as indices, in the sense of DependenciesOf.
  std::vector<int> DependencyIndices(int index) const;
  int IndexOf(const StatePtr& resource) const;  // -1 if not in the list

 private:
  // Lists of ints for the keys 0..n-1, in two flat arrays.
  class Lists {
   public:
    using Edge = std::pair<int, int>;  // key, member
    void Build(int keys, const std::vector<Edge>& edges);
    const int* begin(int key) const { return members_.data() + starts_[key]; }
    const int* end(int key) const { return members_.data() + starts_[key + 1]; }

   private:
    std::vector<int> starts_, members_;
  };

  int UrnNumber(std::string_view urn) const;  // -1 if no state has it
  void NumberUrns();
  void BuildEdges();
  int FindReferenced(int from, int urn) const;
  std::vector<StatePtr> StatesAt(const std::vector<int>& indices) const;

  std::vector<StatePtr> resources_;
  std::unordered_map<const State*, int> index_;
  std::unordered_map<std::string_view, int> urn_numbers_;  // views into the states
  std::vector<int> urn_of_;                                // of each state
  std::vector<int> parent_urn_;                            // of each state, or -1
  Lists states_of_urn_;
  Lists references_;   // state -> the URNs it names, except its parent
  Lists referrers_;    // URN -> the states that name it so
  Lists children_;     // URN -> the states that have it as parent
  Lists descendants_;  // state -> the states whose parent it is
};

}  // namespace kingpost
