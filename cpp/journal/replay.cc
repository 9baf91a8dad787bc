// SPDX-License-Identifier: Apache-2.0
// One table of slots per list. An entry changes its slots and nothing else; lists are put together only when asked for.
#include "journal/replay.h"

#include <unordered_set>

#include "decisions/migration_place.h"
#include "decisions/pending_operations.h"
#include "model/references.h"

namespace kingpost {
namespace {

StatePtr With(const StatePtr& state, bool State::*flag) {
  auto next = std::make_shared<State>(*state);
  (*next).*flag = true;
  return next;
}

// Whether something refers to what only comes after it. A provider is meant with its ID: [P' serves A, P replaced P'],
// and what comes first may be the wrong one of the two.
bool OutOfOrder(const std::vector<StatePtr>& resources) {
  std::unordered_set<std::string_view> seen;
  std::unordered_set<std::string_view> missed;
  std::unordered_set<std::string> providers;  // references to those seen
  seen.reserve(resources.size());
  for (const StatePtr& state : resources) {
    const auto check = [&](std::string_view urn) {
      if (!urn.empty() && !seen.count(urn)) missed.insert(urn);
    };
    if (!state->provider.empty() && !providers.count(state->provider)) missed.insert(state->provider);
    ForEachReference(*state, [&](ReferenceKind, const Urn& urn, const std::string&) { check(urn.str()); });
    seen.insert(state->urn.str());
    if (state->is_provider()) providers.insert(ProviderReference{state->urn, state->id}.str());
  }
  for (std::string_view reference : missed) {
    if (seen.count(reference) || providers.count(std::string(reference))) return true;
  }
  return false;
}

Status Unknown(const JournalEntry& entry, const std::string& what) {
  return Status(Code::kDataLoss, "journal entry " + std::to_string(entry.sequence) + " (" + EntryKindName(entry.kind) +
                                     ") refers to " + what);
}

}  // namespace

Replayer::Replayer(std::shared_ptr<const Snapshot> base) { SetBase(std::move(base)); }

void Replayer::SetBase(std::shared_ptr<const Snapshot> base) {
  KP_ASSERT(base, "a replay needs a base, if only an empty one");
  base_ = std::move(base);
  base_slots_.clear();
  base_slots_.reserve(base_->resources.size());
  for (const StatePtr& state : base_->resources) base_slots_.push_back({state});
  for (size_t i : decisions::DeletesInDoubt(*base_)) base_slots_[i].in_doubt = true;
  new_slots_.clear();
  slot_of_operation_.clear();
  open_operations_.clear();
  extensions_.clear();
  snippets_json_.reset();
  base_touched_ = false;
  has_refresh_ = false;
}

Status Replayer::CheckReferences(const JournalEntry& entry) const {
  for (int64_t index : {entry.remove_old, entry.delete_old, entry.pending_replacement_old}) {
    if (index >= static_cast<int64_t>(base_slots_.size())) {
      return Unknown(entry, "resource " + std::to_string(index) + " of a base that has " +
                                std::to_string(base_slots_.size()) + " resources");
    }
  }
  for (int64_t operation : {entry.remove_new, entry.delete_new, entry.pending_replacement_new}) {
    if (operation > 0 && !slot_of_operation_.count(operation)) {
      return Unknown(entry, "operation " + std::to_string(operation) + ", which recorded no resource");
    }
  }
  const bool needs_state = entry.kind == EntryKind::kOutputs || entry.operation.has_value();
  if (needs_state && !entry.state) return Unknown(entry, "no resource, although it must");
  if (entry.kind == EntryKind::kStateMigration) return CheckMigration(entry);
  if (entry.kind == EntryKind::kWrite && !entry.new_base) return Unknown(entry, "no base, although it must");
  if (entry.kind == EntryKind::kWrite && !pristine()) {
    return Unknown(entry, "a new base, after resources of the former one have changed");
  }
  return Status::Ok();
}

Status Replayer::CheckMigration(const JournalEntry& entry) const {
  if (!entry.migration || entry.migration->replaces.empty()) {
    return Unknown(entry, "no states of the base, although it must");
  }
  const int64_t size = static_cast<int64_t>(base_slots_.size());
  const auto outside = [&](int64_t index) {
    return Unknown(entry,
                   "resource " + std::to_string(index) + " of a base that has " + std::to_string(size) + " resources");
  };
  for (const int64_t index : entry.migration->replaces) {
    if (index < 0 || index >= size) return outside(index);
  }
  for (const StateMigrationEntry::Rewritten& one : entry.migration->rewritten) {
    if (one.old_index >= size) return outside(one.old_index);
    if (one.operation > 0 && !slot_of_operation_.count(one.operation)) {
      return Unknown(entry, "operation " + std::to_string(one.operation) + ", which recorded no resource");
    }
  }
  return Status::Ok();
}

Replayer::Slot* Replayer::Find(int64_t old_index, int64_t new_operation) {
  if (old_index >= 0) {
    base_touched_ = true;
    return &base_slots_[old_index];
  }
  return new_operation > 0 ? &new_slots_[slot_of_operation_.at(new_operation)] : nullptr;
}

Status Replayer::Apply(const JournalEntry& entry) {
  if (Status status = CheckReferences(entry); !status.ok()) return status;
  switch (entry.kind) {
    case EntryKind::kBegin:
      if (entry.operation) open_operations_[entry.operation_id] = {entry.state, *entry.operation};
      break;
    case EntryKind::kSuccess:
      ApplySuccess(entry);
      break;
    case EntryKind::kFailure:
      open_operations_.erase(entry.operation_id);
      break;
    case EntryKind::kRefreshSuccess:
      open_operations_.erase(entry.operation_id);
      has_refresh_ = true;
      ApplyInPlace(entry);
      break;
    case EntryKind::kOutputs:
      ApplyInPlace(entry);
      break;
    case EntryKind::kWrite:
      SetBase(entry.new_base);
      break;
    case EntryKind::kSecretsManager:
      secrets_.emplace(entry.secrets_type, entry.secrets_state_json);
      break;
    case EntryKind::kRebuiltBaseState: {
      Snapshot rebuilt = Materialize();
      rebuilt.resources = DropEmptyPropertyDependencies(std::move(rebuilt.resources));
      SetBase(std::make_shared<const Snapshot>(std::move(rebuilt)));
      break;
    }
    case EntryKind::kExtensionParameterize:
      extensions_[entry.extension_ref] = entry.extension_json;
      break;
    case EntryKind::kSnippets:
      snippets_json_ = entry.snippets_json;
      break;
    case EntryKind::kStateMigration:
      return Migrate(*entry.migration).Wrap(std::string("journal entry ") + std::to_string(entry.sequence));
    case EntryKind::kCommit:
    case EntryKind::kFence:
      break;
  }
  return Status::Ok();
}

// The base as it was read decides on the order of states. The journal does not hold changes of an unchanged resource,
// and the order must not depend on them.
Status Replayer::Migrate(const StateMigrationEntry& migration) {
  const decisions::Successors successors(migration.successors, migration.result);
  const std::vector<size_t> places(migration.replaces.begin(), migration.replaces.end());
  const auto placed = decisions::PlaceResult(base_->resources, places, migration.result, successors);
  if (!placed.ok()) return placed.status();
  std::map<size_t, StatePtr> whole;  // by the place in the base as it was
  for (const StateMigrationEntry::Rewritten& one : migration.rewritten) {
    if (one.old_index >= 0) whole[one.old_index] = one.state;
  }

  auto base = std::make_shared<Snapshot>(*base_);
  base->resources.clear();
  std::vector<Slot> slots;
  for (const decisions::PlacedState& one : *placed) {
    const auto found = one.was ? whole.find(*one.was) : whole.end();
    const StatePtr state = found == whole.end() ? one.state : found->second;
    base->resources.push_back(state);
    if (!one.was) {
      slots.push_back({state});
      continue;
    }
    Slot slot = std::move(base_slots_[*one.was]);
    const bool as_read = slot.state == base_->resources[*one.was];
    slot.state = as_read ? state : successors.Rewritten(slot.state);
    slots.push_back(std::move(slot));
  }
  base_ = std::move(base);
  base_slots_ = std::move(slots);
  base_touched_ = true;
  for (Slot& slot : new_slots_) slot.state = successors.Rewritten(slot.state);
  for (const StateMigrationEntry::Rewritten& one : migration.rewritten) {
    if (one.operation > 0) new_slots_[slot_of_operation_.at(one.operation)].state = one.state;
  }
  for (auto& [id, operation] : open_operations_) operation.resource = successors.Rewritten(operation.resource);
  return Status::Ok();
}

void Replayer::ApplySuccess(const JournalEntry& entry) {
  const bool asked = open_operations_.erase(entry.operation_id) > 0 || entry.is_refresh;
  bool in_doubt = false;
  if (Slot* slot = Find(entry.remove_old, entry.remove_new)) {
    slot->removed = true;
    in_doubt = slot->in_doubt && !asked;
  }
  if (Slot* slot = Find(entry.delete_old, entry.delete_new)) slot->state = With(slot->state, &State::pending_delete);
  if (Slot* slot = Find(entry.pending_replacement_old, entry.pending_replacement_new)) {
    slot->state = With(slot->state, &State::pending_replacement);
  }
  has_refresh_ = has_refresh_ || entry.is_refresh;
  if (!entry.state) return;
  slot_of_operation_[entry.operation_id] = new_slots_.size();
  new_slots_.push_back({entry.state, false, in_doubt});
}

// The slot keeps its place, because others may refer to it from behind it.
void Replayer::ApplyInPlace(const JournalEntry& entry) {
  Slot* slot = Find(entry.remove_old, entry.remove_new);
  if (!slot) return;
  if (entry.kind == EntryKind::kRefreshSuccess) slot->in_doubt = false;
  if (entry.state) {
    slot->state = entry.state;
  } else {
    slot->removed = true;
  }
}

std::vector<PendingOperation> Replayer::OpenOperations() const {
  std::vector<PendingOperation> operations;
  for (const auto& [id, operation] : open_operations_) operations.push_back(operation);
  return operations;
}

// A delete that was begun once more is among the operations.
void Replayer::AppendDoubts(std::vector<PendingOperation>* operations) const {
  std::unordered_set<std::string> begun;
  for (const PendingOperation& operation : *operations) begun.insert(operation.resource->id);
  for (const auto* slots : {&new_slots_, &base_slots_}) {
    for (const Slot& slot : *slots) {
      if (!slot.in_doubt || slot.removed || !decisions::IsStillInDoubt(*slot.state)) continue;
      if (!begun.count(slot.state->id)) operations->push_back({slot.state, OperationType::kDeleting});
    }
  }
}

Snapshot Replayer::Materialize() const {
  Snapshot snapshot;
  snapshot.manifest = base_->manifest;
  snapshot.secrets_type = secrets_ ? secrets_->first : base_->secrets_type;
  snapshot.secrets_state_json = secrets_ ? secrets_->second : base_->secrets_state_json;
  snapshot.integrity_error_json = base_->integrity_error_json;
  snapshot.snippets_json = snippets_json_.value_or(base_->snippets_json);
  snapshot.extensions = base_->extensions;
  snapshot.extensions.insert(extensions_.begin(), extensions_.end());  // those of the base win

  std::map<Urn, StatePtr> removed;
  snapshot.resources.reserve(new_slots_.size() + base_slots_.size());
  for (const auto* slots : {&new_slots_, &base_slots_}) {
    for (const Slot& slot : *slots) {
      if (!slot.removed) {
        snapshot.resources.push_back(slot.state);
      } else if (has_refresh_) {
        removed.emplace(slot.state->urn, slot.state);
      }
    }
  }
  snapshot.pending_operations = OpenOperations();
  AppendDoubts(&snapshot.pending_operations);
  for (const PendingOperation& operation : base_->pending_operations) {
    if (decisions::IsKeptPending(operation)) snapshot.pending_operations.push_back(operation);
  }

  NormalizeUrns(&snapshot);
  // The engine does not record a resource that stayed as it was. So in a replay from the file a new one may come before
  // the old one it refers to. A refresh adds nothing to the list, and its rule goes by position.
  const bool may_be_unsorted = !new_slots_.empty() || !has_refresh_;
  if (may_be_unsorted && OutOfOrder(snapshot.resources)) {
    auto sorted = TopologicalSort(snapshot.resources);
    if (sorted.ok()) snapshot.resources = *std::move(sorted);  // else VerifyIntegrity names what is wrong
  }
  if (has_refresh_) snapshot.resources = DropDanglingReferences(snapshot.resources, removed);
  return snapshot;
}

}  // namespace kingpost
