// SPDX-License-Identifier: Apache-2.0
#include "decisions/deletes.h"

#include <algorithm>

#include "model/references.h"

namespace kingpost::decisions {

void DeleteSchedule::Wait(int step, int for_step) {
  std::vector<int>& others = before[step];
  if (std::find(others.begin(), others.end(), for_step) == others.end()) others.push_back(for_step);
}

DeleteSchedule ScheduleDeletes(const DependencyGraph& graph, const std::vector<StatePtr>& nodes) {
  const int n = static_cast<int>(nodes.size());
  DeleteSchedule schedule;
  schedule.before.resize(n);
  std::vector<int> step_of_node(graph.size(), -1);
  for (int i = 0; i < n; ++i) {
    const int node = graph.IndexOf(nodes[i]);
    if (node >= 0) step_of_node[node] = i;
  }
  for (int i = 0; i < n; ++i) {
    const int node = graph.IndexOf(nodes[i]);
    if (node < 0) continue;
    for (int dependency : graph.DependencyIndices(node)) {
      const int j = step_of_node[dependency];
      if (j < 0 || j == i) continue;
      schedule.before[j].push_back(i);
    }
  }
  return schedule;
}

std::vector<int> InWaves(const DeleteSchedule& schedule) {
  const size_t n = schedule.before.size();
  std::vector<int> order(n), waiting(n, 0), wave(n, 0);
  std::vector<std::vector<int>> after(n);
  std::vector<int> ready;
  for (size_t i = 0; i < n; ++i) {
    order[i] = static_cast<int>(i);
    for (int dependent : schedule.before[i]) {
      after[dependent].push_back(static_cast<int>(i));
      ++waiting[dependent];
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (waiting[i] == 0) ready.push_back(static_cast<int>(i));
  }
  for (size_t next = 0; next < ready.size(); ++next) {
    const int i = ready[next];
    for (int needed : after[i]) wave[i] = std::max(wave[i], wave[needed] + 1);
    for (int dependent : schedule.before[i]) {
      if (--waiting[dependent] == 0) ready.push_back(dependent);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return wave[a] > wave[b]; });
  return order;
}

namespace {

std::vector<StatePtr> NodesOf(const std::vector<DeleteStep>& going) {
  std::vector<StatePtr> nodes;
  for (const DeleteStep& one : going) nodes.push_back(one.node);
  return nodes;
}

}  // namespace

DeleteOrder::DeleteOrder(const std::vector<DeleteStep>& going, const DependencyGraph& graph, const Rows& rows)
    : going_(going), graph_(graph), rows_(rows), schedule_(ScheduleDeletes(graph, NodesOf(going))) {
  for (size_t i = 0; i < going.size(); ++i) number_of_.emplace(going[i].node.get(), static_cast<int>(i));
  WaitForOldNames();
  WaitForLaterProviders();
}

// [A' became A, which the program registered to be deleted; B, not registered, refers to A']: there is no edge
// between the two. Still, A is deleted after B.
void DeleteOrder::WaitForOldNames() {
  std::unordered_map<Urn, int> renamed;  // old URN -> number of what has a new one
  for (size_t i = 0; i < going_.size(); ++i) {
    const Urn& urn = going_[i].node->urn;
    const Row* row = rows_.Find(urn);
    if (row && row->urn() == urn && !row->former().empty()) renamed[row->former()] = static_cast<int>(i);
  }
  if (renamed.empty()) return;
  for (size_t i = 0; i < going_.size(); ++i) {
    const int number = static_cast<int>(i);
    const State& state = *going_[i].node;
    const auto wait = [&](const Urn& urn) {
      const auto found = renamed.find(urn);
      if (found == renamed.end() || found->second == number) return;
      const std::vector<int>& others = schedule_.before[i];
      const bool turned_round = std::find(others.begin(), others.end(), found->second) != others.end();
      if (!turned_round) schedule_.Wait(found->second, number);  // else the program has it so
    };
    ForEachReference(state, [&](ReferenceKind, const Urn& urn, const std::string&) { wait(urn); });
    wait(Urn(std::string(ProviderUrnText(state.provider))));
  }
}

// [P was replaced by one with the same ID; A stands before the old P]: there is no edge between their
// old sides. Still, P is deleted after A.
void DeleteOrder::WaitForLaterProviders() {
  std::unordered_map<std::string, int> old_providers;  // reference -> number
  const auto is_old_side = [this](const DeleteStep& one) { return rows_.WaitsForDelete(one.node); };
  for (size_t i = 0; i < going_.size(); ++i) {
    const State& state = *going_[i].node;
    if (state.is_provider() && is_old_side(going_[i])) {
      old_providers[ProviderReference{state.urn, state.id}.str()] = static_cast<int>(i);
    }
  }
  if (old_providers.empty()) return;
  for (size_t i = 0; i < going_.size(); ++i) {
    const auto found = old_providers.find(going_[i].node->provider);
    if (found != old_providers.end() && is_old_side(going_[i])) schedule_.Wait(found->second, static_cast<int>(i));
  }
}

// [An earlier run replaced A with A', and its dependent B could not be deleted]: B needs A', not A. But
// references name a provider by its ID. And if this run has replaced A, B was still made with A.
bool DeleteOrder::Needs(int dependent, int needed) const {
  const DeleteStep& stays = going_[dependent];
  const DeleteStep& old = going_[needed];
  if (!rows_.WaitsForDelete(old.node) || rows_.WaitsForDelete(stays.node)) return true;
  const State& old_side = *old.step->old_state;
  const StatePtr now = rows_.Old(old_side.urn);
  if (!now || now == old.node) return true;
  const bool served = stays.step->old_state->provider == ProviderReference{old_side.urn, old_side.id}.str();
  return served && now->id != old_side.id;
}

// [A cannot be deleted; its dependency B was changed and depended on C]: C waits for no delete of B. But A was made
// with all of them.
std::vector<int> DeleteOrder::NeededBy(int failed) const {
  std::vector<int> needed;
  const StatePtr& node = going_[failed].node;
  if (graph_.IndexOf(node) < 0) return needed;
  for (const StatePtr& state : graph_.TransitiveDependenciesOf(node)) {
    const auto found = number_of_.find(state.get());
    if (found != number_of_.end() && Needs(failed, found->second)) needed.push_back(found->second);
  }
  return needed;
}

std::vector<int> DeleteOrder::NeededByOthers() const {
  std::unordered_set<int> needed;
  for (const StatePtr& recorded : rows_.base()) {
    const StatePtr node = rows_.Original(recorded);
    if (number_of_.count(node.get()) > 0 || graph_.IndexOf(node) < 0 || !IsUntouched(recorded, rows_)) continue;
    for (const StatePtr& state : graph_.TransitiveDependenciesOf(node)) {
      const auto found = number_of_.find(state.get());
      if (found != number_of_.end()) needed.insert(found->second);
    }
  }
  return {needed.begin(), needed.end()};
}

}  // namespace kingpost::decisions
