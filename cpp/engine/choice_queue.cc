// SPDX-License-Identifier: Apache-2.0
#include "engine/choice_queue.h"

#include <unordered_set>

#include "decisions/targets.h"

namespace kingpost::engine {

Task<ChoiceQueue::Turn> ChoiceQueue::Take(StatePtr old_state, bool is_included) {
  while (true) {
    Turn turn;
    turn.permit = co_await one_at_a_time_.Acquire();
    turn.went_first = old_state && rows_.GoesFirst(old_state);
    std::shared_ptr<Event> first;
    if (turn.went_first) {
      first = LeavingOf(old_state);
    } else if (old_state && !is_included) {
      first = UndecidedBelow(*old_state);
    }
    if (!first) co_return turn;
    turn.permit.Release();
    co_await *first;
  }
}

void ChoiceQueue::SetUndecided(const Urn& recorded) { undecided_[recorded] = std::make_shared<Event>(loop_); }

void ChoiceQueue::SetDecided(const Urn& recorded) {
  const auto found = undecided_.find(recorded);
  if (found == undecided_.end()) return;
  found->second->Set();
  undecided_.erase(found);
}

void ChoiceQueue::HasEnded(const StatePtr& state) {
  const auto found = leaving_.find(state.get());
  if (found == leaving_.end()) return;
  found->second->Set();
  leaving_.erase(found);
}

std::shared_ptr<Event> ChoiceQueue::LeavingOf(const StatePtr& state) const {
  const auto found = leaving_.find(rows_.Original(state).get());
  return found == leaving_.end() ? nullptr : found->second;
}

Task<bool> ChoiceQueue::IsGone(StatePtr state) {
  if (const std::shared_ptr<Event> ended = LeavingOf(state)) co_await *ended;
  co_return rows_.GoesFirst(state);
}

std::shared_ptr<Event> ChoiceQueue::UndecidedBelow(const State& state) const {
  std::unordered_set<Urn> seen = {state.urn};
  std::vector<StatePtr> waiting;
  const State* next = &state;
  while (next) {
    std::vector<Urn> below = {decisions::ProviderUrn(*next)};
    for (const decisions::DependencyRef& ref : decisions::AllDependencies(*next)) below.push_back(ref.urn);
    for (const Urn& urn : below) {
      if (urn.empty() || !seen.insert(urn).second || rows_.HasStep(urn)) continue;
      const auto undecided = undecided_.find(urn);
      if (undecided != undecided_.end()) return undecided->second;
      if (StatePtr recorded = rows_.Old(urn)) waiting.push_back(std::move(recorded));
    }
    next = waiting.empty() ? nullptr : waiting.back().get();  // the base keeps it
    if (next) waiting.pop_back();
  }
  return nullptr;
}

}  // namespace kingpost::engine
