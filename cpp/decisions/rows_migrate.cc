// SPDX-License-Identifier: Apache-2.0
// Updates the rows of a run after a state migration has made another base (row 11.12).
#include <algorithm>
#include <utility>

#include "decisions/migration.h"
#include "decisions/rows.h"

namespace kingpost::decisions {

// Which states stand in the place of others.
class Renewal {
 public:
  Renewal(const std::vector<StatePtr>& base, const Migration& migration) : successors_(migration.successors) {
    for (const size_t place : migration.places) gone_.insert(base[place].get());
    for (const PlacedState& placed : migration.base) {
      if (placed.was) after_.emplace(base[*placed.was].get(), placed.state);
    }
    for (const auto& [old_state, new_state] : migration.made) {
      after_.emplace(old_state.get(), new_state);
      drafts_.emplace(old_state.get(), new_state);
    }
  }

  bool IsGone(const RecordedState& side) const { return gone_.count(side.state_.get()) > 0; }

  void Renew(RecordedState* side) const {
    side->state_ = Of(side->state_);
    if (side->refreshed_ && *side->refreshed_) *side->refreshed_ = successors_.Rewritten(Of(*side->refreshed_));
  }

  void Renew(Row* row) const {
    // One that stayed as it is stands in the base, too, and is another from here on.
    if (const Draft made = MadeOf(row->now_)) row->now_ = made;
    if (!row->awaiting_outputs_) return;
    if (Draft made = MadeOf(row->awaiting_outputs_->new_state)) row->awaiting_outputs_->new_state = std::move(made);
  }

 private:
  StatePtr Of(const StatePtr& state) const {
    const auto found = after_.find(state.get());
    return found == after_.end() ? state : found->second;
  }

  Draft MadeOf(const StatePtr& state) const {
    const auto found = drafts_.find(state.get());
    return found == drafts_.end() ? nullptr : found->second;
  }

  const Successors& successors_;
  std::unordered_set<const State*> gone_;
  std::unordered_map<const State*, StatePtr> after_;
  std::unordered_map<const State*, Draft> drafts_;
};

// In the place of the one that the index of the base has made, if its state is in the base.
void Rows::PutBack(RecordedState side) {
  std::vector<RecordedState>& sides = At(side.state_->urn).sides_;
  const auto indexed = std::find_if(sides.begin(), sides.end(),
                                    [&side](const RecordedState& other) { return other.state_ == side.state_; });
  if (indexed == sides.end()) {
    sides.push_back(std::move(side));
  } else {
    *indexed = std::move(side);
  }
}

// The data of remaining resources moves to the states that stand for them now; the data of the others is dropped.
void Rows::Migrate(const Migration& migration) {
  const Renewal renewal(base_, migration);
  for (const std::shared_ptr<Row>& row : AllRows()) renewal.Renew(row.get());
  std::vector<RecordedState> known = TakeBase();
  std::vector<StatePtr> base;
  for (const PlacedState& placed : migration.base) base.push_back(placed.state);
  IndexBase(std::move(base));
  for (RecordedState& side : known) {
    if (renewal.IsGone(side)) continue;
    renewal.Renew(&side);
    PutBack(std::move(side));
  }
  migrations_.Add(migration.root, migration.successors);
}

}  // namespace kingpost::decisions
