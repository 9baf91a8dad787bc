// SPDX-License-Identifier: Apache-2.0
#include "engine/choice_queue.h"

#include "decisions/turn_rules.h"

namespace kingpost::engine {

Task<ChoiceQueue::Turn> ChoiceQueue::Take(StatePtr old_state, bool takes_part) {
  using For = decisions::ChoiceBlocker::For;
  const auto is_undecided = [this](const Urn& recorded) { return undecided_.count(recorded) > 0; };
  while (true) {
    Turn turn;
    turn.permit = co_await one_at_a_time_.Acquire();
    const auto waits = decisions::FindChoiceBlocker(old_state, takes_part, rows_, is_undecided);
    turn.was_deleted_first = waits.what == For::kOwnDelete;
    std::shared_ptr<Event> first;
    if (waits.what == For::kOwnDelete) first = LeavingOf(old_state);
    if (waits.what == For::kAnotherChoice) first = undecided_.at(waits.other);
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
  co_return rows_.IsDeletedFirst(state);
}

}  // namespace kingpost::engine
