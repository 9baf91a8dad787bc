// SPDX-License-Identifier: Apache-2.0
#include "decisions/turn_rules.h"

#include <unordered_set>

#include "decisions/dependency_refs.h"

namespace kingpost::decisions {

namespace {

// "" if all below it have chosen.
Urn UndecidedBelow(const State& state, const Rows& rows, const std::function<bool(const Urn&)>& is_undecided) {
  std::unordered_set<Urn> seen = {state.urn};
  std::vector<StatePtr> waiting;
  const State* next = &state;
  while (next) {
    std::vector<Urn> below = {ProviderUrn(*next)};
    for (const DependencyRef& ref : AllDependencies(*next)) below.push_back(ref.urn);
    for (const Urn& urn : below) {
      if (urn.empty() || !seen.insert(urn).second || rows.HasStep(urn)) continue;
      if (is_undecided(urn)) return urn;
      if (StatePtr recorded = rows.Old(urn)) waiting.push_back(std::move(recorded));
    }
    next = waiting.empty() ? nullptr : waiting.back().get();  // the base keeps it
    if (next) waiting.pop_back();
  }
  return Urn();
}

}  // namespace

ChoiceBlocker FindChoiceBlocker(const StatePtr& old_state, bool takes_part, const Rows& rows,
                                const std::function<bool(const Urn&)>& is_undecided) {
  using For = ChoiceBlocker::For;
  if (!old_state) return {};
  if (rows.IsDeletedFirst(old_state)) return {For::kOwnDelete, old_state->urn};
  if (takes_part) return {};
  const Urn other = UndecidedBelow(*old_state, rows, is_undecided);
  return other.empty() ? ChoiceBlocker{} : ChoiceBlocker{For::kAnotherChoice, other};
}

}  // namespace kingpost::decisions
