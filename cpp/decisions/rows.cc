// SPDX-License-Identifier: Apache-2.0
#include "decisions/rows.h"

#include <algorithm>
#include <utility>

#include "decisions/pending_operations.h"

namespace kingpost::decisions {

namespace {

// A side answers for the recorded state and for what a refresh found in its place.
bool StandsFor(const RecordedState& side, const State* state) {
  return side.state().get() == state || side.current().get() == state;
}

}  // namespace

// ---- the base

void Rows::Index(const StatePtr& state) {
  Row& row = At(state->urn);
  row.sides_.emplace_back(state);
  if (state->pending_delete) return;
  row.live_ = state;
  const auto add_name = [&](const Urn& named) {
    std::vector<StatePtr>& by = At(named).named_by_;
    if (by.empty() || by.back() != state) by.push_back(state);
  };
  if (!state->deleted_with.empty()) add_name(state->deleted_with);
  for (const Urn& urn : state->replace_with) add_name(urn);
  if (state->is_view()) At(state->view_of).views_.push_back(state);
}

std::vector<RecordedState> Rows::TakeBase() {
  std::vector<RecordedState> sides;
  for (const std::shared_ptr<Row>& row : AllRows()) {
    sides.insert(sides.end(), std::make_move_iterator(row->sides_.begin()), std::make_move_iterator(row->sides_.end()));
    row->sides_.clear();
    row->live_ = nullptr;
    row->views_.clear();
    row->named_by_.clear();
  }
  return sides;
}

void Rows::IndexBase(std::vector<StatePtr> resources) {
  base_ = std::move(resources);
  graph_.reset();
  rows_.reserve(base_.size());
  for (const StatePtr& state : base_) Index(state);
}

void Rows::SetBase(std::vector<StatePtr> resources) {
  for (const auto& [urn, row] : rows_) {
    KP_ASSERT(row->former_.empty(), "the base is known before anything is registered");
  }
  const std::vector<RecordedState> before = TakeBase();
  IndexBase(std::move(resources));
  // The data of remaining states stays.
  for (const RecordedState& side : before) {
    if (!side.in_doubt_) continue;
    for (RecordedState& now : At(side.state_->urn).sides_) now.in_doubt_ = now.in_doubt_ || now.state_ == side.state_;
  }
}

void Rows::DoubtDeletes(const Snapshot& recorded) {
  for (size_t i : DeletesInDoubt(recorded)) NoteOn(recorded.resources[i]).in_doubt_ = true;
}

const DependencyGraph& Rows::graph() const {
  if (!graph_) graph_ = std::make_unique<DependencyGraph>(base_);
  return *graph_;
}

StatePtr Rows::Old(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->live_ && row->live_->urn == urn ? row->live_ : nullptr;
}

std::vector<StatePtr> Rows::AllOld(const Urn& urn) const {
  std::vector<StatePtr> all;
  const Row* row = Find(urn);
  if (!row) return all;
  for (const RecordedState& side : row->sides_) {
    if (side.state_->urn == urn) all.push_back(side.state_);
  }
  return all;
}

StatePtr Rows::OldProvider(const ProviderReference& ref) const {
  for (const StatePtr& state : AllOld(ref.urn)) {
    if (state->id == ref.id) return state;
  }
  return nullptr;
}

const std::vector<StatePtr>& Rows::OldViews(const Urn& owner) const {
  static const std::vector<StatePtr> kNone;
  const Row* row = Find(owner);
  return row ? row->views_ : kNone;
}

std::vector<StatePtr> Rows::NamedBy(const Urn& urn) const {
  std::vector<StatePtr> result;
  const Row* row = Find(urn);
  if (!row) return result;
  for (const StatePtr& state : row->named_by_) {
    if (!HasStep(state->urn)) result.push_back(state);
  }
  return result;
}

// ---- questions about recorded states

const RecordedState* Rows::RecordedStateOf(const StatePtr& state) const {
  const Row* row = Find(state->urn);
  if (!row) return nullptr;
  for (const RecordedState& side : row->sides_) {
    if (StandsFor(side, state.get())) return &side;
  }
  return nullptr;
}

bool Rows::WaitsForDelete(const StatePtr& state) const {
  const RecordedState* side = RecordedStateOf(state);
  return state->pending_delete || (side && side->waits_for_delete());
}

bool Rows::WaitsForReplacement(const StatePtr& state) const {
  const RecordedState* side = RecordedStateOf(state);
  return state->pending_replacement || (side && side->waits_for_replacement());
}

bool Rows::IsInDoubt(const StatePtr& state) const {
  const RecordedState* side = RecordedStateOf(state);
  return side && side->in_doubt_;
}

bool Rows::IsDeletedFirst(const StatePtr& state) const {
  const RecordedState* side = RecordedStateOf(state);
  return side && side->deleted_first_;
}

StatePtr Rows::Original(const StatePtr& state) const {
  const RecordedState* side = RecordedStateOf(state);
  return side ? side->state_ : state;
}

// ---- questions about names

const Row* Rows::Find(const Urn& urn) const {
  auto found = rows_.find(urn);
  return found == rows_.end() ? nullptr : found->second.get();
}

const Urn& Rows::CurrentUrn(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->former_ == urn ? row->urn_ : urn;
}

bool Rows::IsRenamed(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->former_ == urn && row->urn_ != urn;
}

bool Rows::IsKnown(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && ((row->claimed_ && row->urn_ == urn) || row->kept_);
}

bool Rows::IsClaimed(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->claimed_ && row->urn_ == urn;
}

bool Rows::HasStep(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->has_step();
}

bool Rows::IsOperatedOn(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->is_operated_on();
}

bool Rows::IsBeingRefreshed(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->refreshing_;
}

bool Rows::IsUnchanged(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->outcome_ == RowOutcome::kUnchanged;
}

bool Rows::IsReplaced(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->outcome_ == RowOutcome::kReplaced;
}

bool Rows::IsDeleted(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->deleted_;
}

bool Rows::IsSkipped(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->skipped_;
}

bool Rows::HasFailed(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && row->failed_;
}

StatePtr Rows::Now(const Urn& urn) const {
  const Row* row = Find(urn);
  return row ? row->now_ : nullptr;
}

StatePtr Rows::Registered(const Urn& urn) const {
  const Row* row = Find(urn);
  return row && !row->was_read_ ? row->now_ : nullptr;
}

ReasonPtr Rows::WhyDecided(const Urn& urn) const {
  const Row* row = Find(urn);
  return row ? row->because_ : nullptr;
}

std::vector<const Row*> Rows::Published() const {
  std::vector<const Row*> rows;
  for (const auto& row : published_) rows.push_back(row.get());
  return rows;
}

std::vector<std::shared_ptr<Row>> Rows::AllRows() const {
  std::vector<std::shared_ptr<Row>> all;
  for (const auto& [urn, row] : rows_) {
    if (row->urn_ == urn) all.push_back(row);
  }
  return all;
}

std::vector<StatePtr> Rows::NewStates() const {
  std::vector<StatePtr> made;
  for (const auto& row : AllRows()) {
    if (row->now_) made.push_back(row->now_);
    const StepPtr& step = row->awaiting_outputs_;
    if (step && step->new_state && step->new_state != row->now_) made.push_back(step->new_state);
  }
  return made;
}

// ---- transitions

Row& Rows::At(const Urn& urn) {
  std::shared_ptr<Row>& row = rows_[urn];
  if (!row) {
    row = std::make_shared<Row>();
    row->urn_ = urn;
  }
  return *row;
}

// A state of this run may be replaced in the same run (imported, then replaced): it gets a side of its own.
RecordedState& Rows::NoteOn(const StatePtr& state) {
  Row& row = At(state->urn);
  for (RecordedState& side : row.sides_) {
    if (StandsFor(side, state.get())) return side;
  }
  return row.sides_.emplace_back(state);
}

bool Rows::Claim(const Urn& urn) {
  Row& row = At(urn);
  return !std::exchange(row.urn_ == urn ? row.claimed_ : row.former_claimed_, true);
}

void Rows::Continue(const Urn& urn, const Urn& former) {
  KP_ASSERT(!Old(urn), "what is recorded under its own name has no other");
  const std::shared_ptr<Row> from = rows_.at(former);
  if (from->claimed_ || IsRenamed(former)) return;  // two want it, which is reported: neither goes on
  const std::shared_ptr<Row> row = rows_.at(urn);
  KP_ASSERT(row->former_.empty() && row->outcome_ == RowOutcome::kUndecided,
            "a resource is found before it is decided on");
  row->former_ = former;
  row->sides_.insert(row->sides_.end(), std::make_move_iterator(from->sides_.begin()),
                     std::make_move_iterator(from->sides_.end()));
  row->live_ = from->live_;
  row->views_ = from->views_;
  row->named_by_.insert(row->named_by_.end(), from->named_by_.begin(), from->named_by_.end());
  row->outcome_ = from->outcome_;
  row->because_ = from->because_;
  row->kept_ = from->kept_;
  row->refreshing_ = from->refreshing_;
  row->deleted_ = from->deleted_;
  row->now_ = from->now_;
  row->awaiting_outputs_ = from->awaiting_outputs_;
  std::replace(published_.begin(), published_.end(), from, row);
  rows_[former] = row;
}

void Rows::NoteDeleteBeforeReplace(const Urn& urn, std::optional<bool> wanted) {
  At(urn).delete_before_replace_ = wanted;
}

void Rows::BeginRefresh(const Urn& urn) { At(urn).refreshing_ = true; }

void Rows::EndRefresh(const StatePtr& old_state, const StatePtr& found) { NoteOn(old_state).refreshed_ = found; }

void Rows::Decide(const Urn& urn, RowOutcome outcome, ReasonPtr because) {
  KP_ASSERT(outcome != RowOutcome::kUndecided, "a decided row has an outcome");
  Row& row = At(urn);
  const bool first = row.outcome_ == RowOutcome::kUndecided || row.outcome_ == outcome;
  // A resource that was kept because it was only read may still become the program's own.
  KP_ASSERT(first || row.outcome_ == RowOutcome::kUnchanged, "a resource is decided on once");
  row.outcome_ = outcome;
  row.because_ = std::move(because);
}

void Rows::Keep(const Urn& urn, ReasonPtr because) {
  Row& row = At(urn);
  KP_ASSERT(row.outcome_ == RowOutcome::kUndecided || row.outcome_ == RowOutcome::kUnchanged,
            "what has changed cannot be kept");
  row.kept_ = true;
  row.outcome_ = RowOutcome::kUnchanged;
  row.because_ = std::move(because);
}

void Rows::SkipCreate(const Urn& urn) { At(urn).skipped_ = true; }
void Rows::ClearSkipped(const Urn& urn) { At(urn).skipped_ = false; }
void Rows::Fail(const Urn& urn) {
  At(urn).failed_ = true;
  any_failed_ = true;
}

void Rows::MarkDeletedFirst(const StatePtr& state, std::vector<std::string> keys, ReasonPtr because) {
  RecordedState& side = NoteOn(state);
  KP_ASSERT(!side.deleted_first_, "a resource goes once");
  side.deleted_first_ = true;
  side.keys_ = std::move(keys);
  side.because_ = std::move(because);
  At(state->urn).deleted_ = true;
}

void Rows::UndoDeletedFirst(const StatePtr& state) {
  NoteOn(state).deleted_first_ = false;
  UndoDelete(state->urn);
}

void Rows::Delete(const Urn& urn) { At(urn).deleted_ = true; }
void Rows::UndoDelete(const Urn& urn) { At(urn).deleted_ = false; }
void Rows::MarkPendingDelete(const StatePtr& state) { NoteOn(state).condemned_ = true; }
void Rows::MarkPendingReplacement(const StatePtr& state) { NoteOn(state).awaits_replacement_ = true; }

void Rows::Publish(const StatePtr& state, bool was_read) {
  Row& row = At(state->urn);
  if (!row.now_) published_.push_back(rows_.at(state->urn));
  row.now_ = state;
  row.was_read_ = was_read;
}

void Rows::ForgetPublished() {
  for (const auto& row : published_) row->now_ = nullptr;
  published_.clear();
}

void Rows::AwaitOutputs(const StepPtr& step) { At(step->urn()).awaiting_outputs_ = step; }

StepPtr Rows::TakeAwaiting(const Urn& urn) {
  const auto found = rows_.find(urn);
  return found == rows_.end() ? nullptr : std::exchange(found->second->awaiting_outputs_, nullptr);
}

}  // namespace kingpost::decisions
