// SPDX-License-Identifier: Apache-2.0
// Edges lead from states to URNs and from URNs to states, so that several states with one URN need no product of edges.
#include "model/dependency_graph.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "model/references.h"

namespace kingpost {
namespace {

void SortUnique(std::vector<int>* indices) {
  std::sort(indices->begin(), indices->end());
  indices->erase(std::unique(indices->begin(), indices->end()), indices->end());
}

}  // namespace

void DependencyGraph::Lists::Build(int keys, const std::vector<Edge>& edges) {
  starts_.assign(keys + 1, 0);
  for (const auto& [key, member] : edges) ++starts_[key + 1];
  for (int key = 0; key < keys; ++key) starts_[key + 1] += starts_[key];
  members_.resize(edges.size());
  std::vector<int> next(starts_.begin(), starts_.end() - 1);
  for (const auto& [key, member] : edges) members_[next[key]++] = member;
}

DependencyGraph::DependencyGraph(std::vector<StatePtr> resources) : resources_(std::move(resources)) {
  NumberUrns();
  BuildEdges();
}

void DependencyGraph::NumberUrns() {
  index_.reserve(resources_.size());
  urn_numbers_.reserve(resources_.size());
  urn_of_.reserve(resources_.size());
  for (const StatePtr& state : resources_) {
    index_.emplace(state.get(), static_cast<int>(index_.size()));
    const int next = static_cast<int>(urn_numbers_.size());
    urn_of_.push_back(urn_numbers_.emplace(state->urn.str(), next).first->second);
  }
  KP_ASSERT(index_.size() == resources_.size(), "a state is in the list once");
}

void DependencyGraph::BuildEdges() {
  const int urns = static_cast<int>(urn_numbers_.size());
  std::vector<Lists::Edge> states_of_urn, references, referrers, children, descendants;
  std::vector<int> latest(urns, -1);  // the last state so far with each URN
  std::vector<int> named;
  parent_urn_.reserve(resources_.size());
  for (int i = 0; i < size(); ++i) {
    const State& state = *resources_[i];
    named.clear();
    named.push_back(UrnNumber(ProviderUrnText(state.provider)));
    ForEachReference(state, [&](ReferenceKind kind, const Urn& urn, const std::string&) {
      if (kind != ReferenceKind::kParent) named.push_back(UrnNumber(urn.str()));
    });
    SortUnique(&named);
    for (int urn : named) {
      if (urn < 0) continue;
      references.emplace_back(i, urn);
      referrers.emplace_back(urn, i);
    }

    const int parent = UrnNumber(state.parent.str());
    parent_urn_.push_back(parent);
    if (parent >= 0) children.emplace_back(parent, i);
    if (parent >= 0 && latest[parent] >= 0) descendants.emplace_back(latest[parent], i);
    latest[urn_of_[i]] = i;
    states_of_urn.emplace_back(urn_of_[i], i);
  }
  states_of_urn_.Build(urns, states_of_urn);
  references_.Build(size(), references);
  referrers_.Build(urns, referrers);
  children_.Build(urns, children);
  descendants_.Build(size(), descendants);
}

int DependencyGraph::UrnNumber(std::string_view urn) const {
  if (urn.empty()) return -1;
  const auto found = urn_numbers_.find(urn);
  return found == urn_numbers_.end() ? -1 : found->second;
}

int DependencyGraph::IndexOf(const StatePtr& resource) const {
  const auto found = index_.find(resource.get());
  return found == index_.end() ? -1 : found->second;
}

std::vector<StatePtr> DependencyGraph::StatesAt(const std::vector<int>& indices) const {
  std::vector<StatePtr> states;
  states.reserve(indices.size());
  for (int index : indices) states.push_back(resources_[index]);
  return states;
}

// Takes states in list order, so that the first state of a URN is the earliest. Every later state that names the URN
// depends on it, and later states with the same URN add nothing.
std::vector<StatePtr> DependencyGraph::DependingOn(const StatePtr& resource, bool include_children) const {
  return DependingOn(
      resource, [](const Urn&) { return false; }, include_children);
}

std::vector<StatePtr> DependencyGraph::DependingOn(const StatePtr& resource,
                                                   const std::function<bool(const Urn&)>& ignore,
                                                   bool include_children) const {
  const int start = IndexOf(resource);
  KP_ASSERT(start >= 0, "the resource is in the graph");
  std::priority_queue<int, std::vector<int>, std::greater<int>> waiting;
  std::unordered_set<int> queued = {start}, expanded;  // states; URNs
  std::vector<int> dependents;
  const auto queue_after = [&](int index, const Lists& lists, int urn) {
    for (const int* at = std::upper_bound(lists.begin(urn), lists.end(urn), index); at != lists.end(urn); ++at) {
      if (!ignore(resources_[*at]->urn) && queued.insert(*at).second) waiting.push(*at);
    }
  };

  waiting.push(start);
  while (!waiting.empty()) {
    const int index = waiting.top();
    waiting.pop();
    if (index != start) dependents.push_back(index);
    if (!expanded.insert(urn_of_[index]).second) continue;
    queue_after(index, referrers_, urn_of_[index]);
    if (include_children) queue_after(index, children_, urn_of_[index]);
  }
  return StatesAt(dependents);
}

std::vector<int> DependencyGraph::DependencyIndices(int index) const {
  std::vector<int> found;
  std::vector<int> below;  // components whose descendants count
  const auto add_earlier = [&](int urn, bool with_descendants) {
    const int* begin = states_of_urn_.begin(urn);
    const int* end = std::lower_bound(begin, states_of_urn_.end(urn), index);
    found.insert(found.end(), begin, end);
    const bool component = std::any_of(begin, end, [&](int at) { return !resources_[at]->custom; });
    // Descendants belong to the URN: one component makes those of all states with it count.
    if (with_descendants && component) below.insert(below.end(), begin, end);
  };
  for (const int* at = references_.begin(index); at != references_.end(index); ++at) add_earlier(*at, true);
  if (parent_urn_[index] >= 0) add_earlier(parent_urn_[index], false);

  SortUnique(&below);
  while (!below.empty()) {
    const int component = below.back();
    below.pop_back();
    for (const int* at = descendants_.begin(component); at != descendants_.end(component) && *at < index; ++at) {
      found.push_back(*at);
      below.push_back(*at);
    }
  }
  SortUnique(&found);
  return found;
}

std::vector<StatePtr> DependencyGraph::DependenciesOf(const StatePtr& resource) const {
  const int index = IndexOf(resource);
  KP_ASSERT(index >= 0, "the resource is in the graph");
  return StatesAt(DependencyIndices(index));
}

// Which of the states with this URN the one at `from` means; the last of its kind if there are several.
int DependencyGraph::FindReferenced(int from, int urn) const {
  int live = -1, deleted = -1;
  for (const int* at = states_of_urn_.begin(urn); at != states_of_urn_.end(urn); ++at) {
    (resources_[*at]->pending_delete ? deleted : live) = *at;
  }
  if (live < 0 || deleted < 0) return std::max(live, deleted);
  return resources_[from]->pending_delete ? deleted : live;
}

std::vector<StatePtr> DependencyGraph::TransitiveDependenciesOf(const StatePtr& resource) const {
  const int start = IndexOf(resource);
  KP_ASSERT(start >= 0, "the resource is in the graph");
  std::unordered_set<int> seen = {start};
  std::vector<int> waiting = {start}, found;
  while (!waiting.empty()) {
    const int index = waiting.back();
    waiting.pop_back();
    if (index != start) found.push_back(index);
    const auto visit = [&](int urn) {
      const int target = FindReferenced(index, urn);
      if (seen.insert(target).second) waiting.push_back(target);
    };
    for (const int* at = references_.begin(index); at != references_.end(index); ++at) visit(*at);
    if (parent_urn_[index] >= 0) visit(parent_urn_[index]);
  }
  SortUnique(&found);
  return StatesAt(found);
}

std::vector<StatePtr> DependencyGraph::StatesOf(const Urn& urn) const {
  const int number = UrnNumber(urn.str());
  if (number < 0) return {};
  return StatesAt({states_of_urn_.begin(number), states_of_urn_.end(number)});
}

std::vector<StatePtr> DependencyGraph::ChildrenOf(const StatePtr& resource) const {
  const int urn = UrnNumber(resource->urn.str());
  if (urn < 0) return {};
  return StatesAt({children_.begin(urn), children_.end(urn)});
}

}  // namespace kingpost
