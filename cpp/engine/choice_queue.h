// SPDX-License-Identifier: Apache-2.0
// Whose turn it is to choose steps. One registration at a time does, because a delete-before-replace condemns resources
// whose own registrations may still be on their way (docs/replacement.md). Engine thread.
#pragma once

#include <memory>
#include <unordered_map>

#include "base/loop.h"
#include "decisions/rows.h"

namespace kingpost::engine {

class ChoiceQueue {
 public:
  ChoiceQueue(Loop& loop, const decisions::Rows& rows) : loop_(loop), rows_(rows), one_at_a_time_(loop) {}

  struct Turn {
    Semaphore::Permit permit{nullptr};
    bool was_deleted_first = false;  // the old state has gone for the sake of another
  };
  // Waits for whom decisions::FindChoiceBlocker names; `old_state` may be null.
  Task<Turn> Take(StatePtr old_state, bool takes_part);

  // Registrations that have not chosen yet, by their recorded names.
  void SetUndecided(const Urn& recorded);
  void SetDecided(const Urn& recorded);

  // Deletes that go before a replacement and have not ended.
  void Leaves(const StatePtr& state) { leaving_[state.get()] = std::make_shared<Event>(loop_); }
  void HasEnded(const StatePtr& state);
  // Waits for such a delete; false if the state stays.
  Task<bool> IsGone(StatePtr state);

 private:
  std::shared_ptr<Event> LeavingOf(const StatePtr& state) const;

  Loop& loop_;
  const decisions::Rows& rows_;
  Mutex one_at_a_time_;
  std::unordered_map<Urn, std::shared_ptr<Event>> undecided_;
  std::unordered_map<const State*, std::shared_ptr<Event>> leaving_;
};

}  // namespace kingpost::engine
