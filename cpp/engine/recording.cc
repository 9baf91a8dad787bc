// SPDX-License-Identifier: Apache-2.0
#include "engine/recording.h"

#include <algorithm>

#include "decisions/elision.h"
#include "decisions/pending_operations.h"

namespace kingpost::engine {

namespace {

std::optional<OperationType> PendingType(StepOp op) {
  switch (op) {
    case StepOp::kCreate:
    case StepOp::kCreateReplacement:
      return OperationType::kCreating;
    case StepOp::kUpdate:
      return OperationType::kUpdating;
    case StepOp::kDelete:
    case StepOp::kDeleteReplaced:
    case StepOp::kDiscard:
    case StepOp::kDiscardReplaced:
      return OperationType::kDeleting;
    case StepOp::kRead:
    case StepOp::kReadReplacement:
      return OperationType::kReading;
    case StepOp::kImport:
    case StepOp::kImportReplacement:
      return OperationType::kImporting;
    default:
      return std::nullopt;
  }
}

// Steps that leave no mark of their own: the logical half of a replacement, and what was only thought of.
bool LeavesNoRecord(const decisions::Step& step) {
  return step.op == StepOp::kReplace || step.op == StepOp::kDiff || step.op == StepOp::kExtendParameterize ||
         step.is_skipped_create() ||
         (step.is_announced_refresh() && DeepEqual(step.old_state->outputs, step.new_state->outputs));
}

// [A waits for its replacement, and another is made or read in its place]: nothing of A is left to delete. The run may
// stop before the step that says so. Imports leave it to that step.
bool TakesPlaceOfWhatIsGone(const decisions::Step& step) {
  const bool makes = step.op == StepOp::kCreateReplacement || step.op == StepOp::kReadReplacement;
  return makes && step.old_state->pending_replacement;
}

}  // namespace

Recording::Recording(bool enabled, Recorder* recorder, const std::shared_ptr<const Snapshot>& base)
    : enabled_(enabled), recorder_(recorder), replay_(std::make_unique<Replayer>(base)) {
  IndexBase(base->resources);
  // Operations that other runs left pending are forgotten with this one (Replayer::Materialize), also if nothing
  // changes.
  const auto& pending = base->pending_operations;
  dirty_ = std::any_of(pending.begin(), pending.end(),
                       [](const PendingOperation& operation) { return !decisions::IsKeptPending(operation); });
}

void Recording::IndexBase(const std::vector<StatePtr>& resources) {
  locations_.clear();
  kept_ = resources;
  for (size_t i = 0; i < resources.size(); ++i) locations_[resources[i].get()] = {static_cast<int64_t>(i), 0};
}

Recording::Location Recording::Find(const StatePtr& state) const {
  auto found = locations_.find(state.get());
  return found == locations_.end() ? Location() : found->second;
}

Task<Status> Recording::Send(JournalEntry entry) {
  dirty_ = true;
  if (!recorder_) co_return Status();
  co_return co_await recorder_->Append(std::move(entry));
}

Task<Status> Recording::FlushElided(int64_t operation) {
  auto found = elided_.find(operation);
  if (found == elided_.end()) co_return Status();
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = operation;
  entry.remove_old = found->second.remove_old;
  entry.state = std::move(found->second.state);
  elided_.erase(found);
  co_return co_await Send(std::move(entry));
}

Task<Result<int64_t>> Recording::Begin(decisions::StepPtr step) {
  if (!enabled_ || LeavesNoRecord(*step)) co_return int64_t{0};
  const int64_t operation = next_operation_++;
  const auto type = PendingType(step->op);
  if (!type) co_return operation;
  JournalEntry entry;
  entry.kind = EntryKind::kBegin;
  entry.operation_id = operation;
  entry.operation = type;
  entry.state = step->new_state ? std::make_shared<const State>(*step->new_state) : step->old_state;
  Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  KP_CO_TRY(co_await Send(std::move(entry)));
  co_return operation;
}

JournalEntry Recording::SuccessEntry(const decisions::Step& step, int64_t operation, const StatePtr& published) const {
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = operation;
  entry.state = published;
  entry.is_refresh = step.op == StepOp::kRefresh;
  if (!step.old_state) return entry;
  const Location old_location = Find(step.old_state);
  if (step.old_side == decisions::AfterStep::kWaitsForDelete && !TakesPlaceOfWhatIsGone(step)) {
    entry.delete_old = old_location.old_index;
    entry.delete_new = old_location.operation;
  } else if (step.old_side == decisions::AfterStep::kPendingReplacement) {
    entry.pending_replacement_old = old_location.old_index;
    entry.pending_replacement_new = old_location.operation;
  } else {
    entry.remove_old = old_location.old_index;
    entry.remove_new = old_location.operation;
  }
  return entry;
}

Task<Status> Recording::End(decisions::StepPtr step, int64_t operation, StatePtr published, bool happened) {
  if (!enabled_ || LeavesNoRecord(*step)) co_return Status();
  JournalEntry entry;
  if (happened) {
    entry = SuccessEntry(*step, operation, published);
  } else {
    entry.kind = EntryKind::kFailure;
    entry.operation_id = operation;
    if (!PendingType(step->op)) co_return Status();
  }
  Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  if (happened && published) {
    locations_[published.get()] = {-1, operation};
    kept_.push_back(published);
  }
  const int64_t refers_to = entry.remove_new + entry.delete_new + entry.pending_replacement_new;
  if (happened && step->op == StepOp::kSame && refers_to == 0 && step->old_state && published &&
      decisions::SameNeedsNoWrite(*step->old_state, *published)) {
    dirty_ = dirty_ || !decisions::SameDescription(*step->old_state, *published);
    elided_.emplace(operation, Elided{entry.remove_old, std::move(entry.state)});
    co_return Status();
  }
  if (refers_to != 0) {
    KP_CO_TRY(co_await FlushElided(refers_to));
  }
  co_return co_await Send(std::move(entry));
}

Task<Status> Recording::Outputs(StatePtr before, StatePtr after) {
  if (!enabled_) co_return Status();
  const Location location = Find(before);
  JournalEntry entry;
  entry.kind = EntryKind::kOutputs;
  entry.state = after;
  entry.remove_old = location.old_index;
  entry.remove_new = location.operation;
  Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  locations_[after.get()] = location;
  kept_.push_back(after);
  if (DeepEqual(before->outputs, after->outputs)) co_return Status();
  KP_CO_TRY(co_await FlushElided(location.operation));
  co_return co_await Send(std::move(entry));
}

Task<Status> Recording::Refreshed(StatePtr before, StatePtr after, int64_t operation) {
  if (!enabled_) co_return Status();
  const Location location = Find(before);
  JournalEntry entry;
  entry.kind = EntryKind::kRefreshSuccess;
  entry.operation_id = operation;
  entry.is_refresh = true;
  entry.state = after;
  entry.remove_old = location.old_index;
  entry.remove_new = location.operation;
  Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  if (after) {
    locations_[after.get()] = location;
    kept_.push_back(after);
  }
  co_return co_await Send(std::move(entry));
}

Task<Status> Recording::RebuildBase(const std::vector<StatePtr>& base) {
  if (!enabled_) co_return Status();
  JournalEntry entry;
  entry.kind = EntryKind::kRebuiltBaseState;
  Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  KP_ASSERT(replay_->base()->resources.size() == base.size(), "the replayed base is the engine's base");
  elided_.clear();
  IndexBase(base);
  co_return co_await Send(std::move(entry));
}

Task<Status> Recording::WriteBase(std::shared_ptr<const Snapshot> base) {
  if (!enabled_) co_return Status();
  JournalEntry entry;
  entry.kind = EntryKind::kWrite;
  entry.new_base = base;
  Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  IndexBase(base->resources);
  co_return co_await Send(std::move(entry));
}

Task<Status> Recording::Extension(std::string ref, std::string json) {
  if (!enabled_ || !extensions_.insert(ref).second) co_return Status();
  JournalEntry entry;
  entry.kind = EntryKind::kExtensionParameterize;
  entry.extension_ref = std::move(ref);
  entry.extension_json = std::move(json);
  Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  co_return co_await Send(std::move(entry));
}

Task<Status> Recording::Migrate(const decisions::Migration& migration) {
  if (!enabled_) co_return Status();
  auto change = std::make_shared<StateMigrationEntry>();
  change->replaces.assign(migration.places.begin(), migration.places.end());
  change->result = migration.result;
  change->successors = migration.successor_names;
  change->rewritten = RewrittenSecrets(migration);
  JournalEntry entry;
  entry.kind = EntryKind::kStateMigration;
  entry.migration = change;
  KP_CO_TRY(co_await Send(entry));
  const Status applied = replay_->Apply(entry);
  KP_ASSERT(applied.ok(), applied.message().c_str());
  KP_ASSERT(replay_->base()->resources.size() == migration.base.size(), "the replayed base is the engine's base");
  Reindex(migration);
  co_return Status();
}

// Without the stack's key a reader cannot follow these entries of the journal.
std::vector<StateMigrationEntry::Rewritten> Recording::RewrittenSecrets(const decisions::Migration& migration) const {
  std::vector<StateMigrationEntry::Rewritten> rewritten;
  const std::vector<StatePtr>& base = replay_->base()->resources;
  for (const decisions::PlacedState& placed : migration.base) {
    if (!placed.was || placed.state == base[*placed.was] || !decisions::HoldsNewSecrets(*placed.state)) continue;
    rewritten.push_back({static_cast<int64_t>(*placed.was), 0, placed.state});
  }
  for (const auto& [old_state, new_state] : migration.made) {
    const Location location = Find(old_state);
    const bool is_sent = location.operation > 0 && !elided_.count(location.operation);
    if (is_sent && decisions::HoldsNewSecrets(*new_state)) rewritten.push_back({-1, location.operation, new_state});
  }
  return rewritten;
}

// Places in the base are others, and states of this run have become others. What has not been sent yet would be sent
// as it is now.
void Recording::Reindex(const decisions::Migration& migration) {
  std::unordered_map<int64_t, int64_t> place;
  for (size_t i = 0; i < migration.base.size(); ++i) {
    if (migration.base[i].was) place[static_cast<int64_t>(*migration.base[i].was)] = static_cast<int64_t>(i);
  }
  const auto moved = [&place](int64_t index) {
    const auto found = place.find(index);
    return found == place.end() ? int64_t{-1} : found->second;
  };
  for (auto at = locations_.begin(); at != locations_.end();) {
    int64_t& index = at->second.old_index;
    const bool in_base = index >= 0;
    if (in_base) index = moved(index);
    at = in_base && index < 0 ? locations_.erase(at) : std::next(at);
  }
  for (size_t i = 0; i < migration.base.size(); ++i) {
    const StatePtr& state = migration.base[i].state;
    // One that stayed as it is stands in this run's record already.
    if (locations_.try_emplace(state.get(), Location{static_cast<int64_t>(i), 0}).second) kept_.push_back(state);
  }
  std::unordered_map<const State*, StatePtr> after;
  for (const auto& [old_state, new_state] : migration.made) {
    const auto known = locations_.find(old_state.get());
    if (known == locations_.end()) continue;
    const Location location = known->second;
    locations_[new_state.get()] = location;
    kept_.push_back(new_state);
    after.emplace(old_state.get(), new_state);
  }
  for (auto& [operation, same] : elided_) {
    if (same.remove_old >= 0) same.remove_old = moved(same.remove_old);
    const auto found = after.find(same.state.get());
    if (found != after.end()) same.state = found->second;
  }
}

}  // namespace kingpost::engine
