// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration_place.h"

#include <algorithm>
#include <unordered_map>

#include "model/snapshot.h"

namespace kingpost::decisions {

Result<std::vector<PlacedState>> PlaceResult(const std::vector<StatePtr>& base, const std::vector<size_t>& places,
                                             const std::vector<StatePtr>& result, const Successors& successors) {
  KP_ASSERT(!places.empty(), "a migration replaces at least its root");
  std::vector<bool> is_replaced(base.size());
  for (const size_t place : places) is_replaced.at(place) = true;
  const size_t last = *std::max_element(places.begin(), places.end());

  std::vector<StatePtr> states;
  std::unordered_map<const State*, size_t> was;
  for (size_t i = 0; i < base.size(); ++i) {
    if (!is_replaced[i]) {
      states.push_back(successors.Rewritten(base[i]));
      was.emplace(states.back().get(), i);
    } else if (i == last) {
      states.insert(states.end(), result.begin(), result.end());
    }
  }
  const Result<std::vector<StatePtr>> sorted = TopologicalSort(states);
  if (!sorted.ok()) return sorted.status();
  std::vector<PlacedState> placed;
  placed.reserve(sorted->size());
  for (const StatePtr& state : *sorted) {
    const auto found = was.find(state.get());
    placed.push_back({state, found == was.end() ? std::nullopt : std::optional<size_t>(found->second)});
  }
  return placed;
}

}  // namespace kingpost::decisions
