// SPDX-License-Identifier: Apache-2.0
// Which deletes wait for others although the graph has no edge between them.
#include <algorithm>

#include "engine/delete_phase.h"
#include "model/references.h"

namespace kingpost::engine {

// [A' became A, which the program registered to be deleted; B, which it did not register, knows A' still]: the graph
// has no edge between A and B, but A goes after B all the same.
void DeletePhase::WaitForOldNames(plan::DeleteSchedule* schedule) const {
  std::unordered_map<Urn, int> renamed;  // old URN -> number of what has a new one
  for (size_t i = 0; i < condemned_.size(); ++i) {
    const auto old = state_.alias_of.find(condemned_[i].node->urn);
    if (old != state_.alias_of.end()) renamed[old->second] = static_cast<int>(i);
  }
  if (renamed.empty()) return;
  for (size_t i = 0; i < condemned_.size(); ++i) {
    const State& state = *condemned_[i].node;
    const auto wait = [&](const Urn& urn) {
      const auto found = renamed.find(urn);
      if (found == renamed.end() || found->second == static_cast<int>(i)) return;
      const std::vector<int>& others = schedule->before[i];
      if (std::find(others.begin(), others.end(), found->second) != others.end())
        return;  // the program turned it round
      schedule->before[found->second].push_back(static_cast<int>(i));
    };
    ForEachReference(state, [&](ReferenceKind, const Urn& urn, const std::string&) { wait(urn); });
    wait(Urn(std::string(ProviderUrnText(state.provider))));
  }
}

// [P was replaced by one that goes by the same ID, and A stands before the old P in the record]: the graph has no edge
// between the old sides of A and P, but P goes after A all the same.
void DeletePhase::WaitForLaterProviders(plan::DeleteSchedule* schedule) const {
  std::unordered_map<std::string, int> old_providers;  // reference -> number
  const auto is_old_side = [this](const Condemned& condemned) { return state_.WaitsForDelete(condemned.node); };
  for (size_t i = 0; i < condemned_.size(); ++i) {
    const State& state = *condemned_[i].node;
    if (state.is_provider() && is_old_side(condemned_[i])) {
      old_providers[ProviderReference{state.urn, state.id}.str()] = static_cast<int>(i);
    }
  }
  if (old_providers.empty()) return;
  for (size_t i = 0; i < condemned_.size(); ++i) {
    const auto found = old_providers.find(condemned_[i].node->provider);
    if (found == old_providers.end() || !is_old_side(condemned_[i])) continue;
    std::vector<int>& before = schedule->before[found->second];
    if (std::find(before.begin(), before.end(), static_cast<int>(i)) == before.end()) {
      before.push_back(static_cast<int>(i));
    }
  }
}

}  // namespace kingpost::engine
