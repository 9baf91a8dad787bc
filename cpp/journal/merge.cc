// SPDX-License-Identifier: Apache-2.0
// See merge.h.
#include "journal/merge.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/command_name.h"
#include "decisions/migration_place.h"
#include "model/references.h"

namespace kingpost {
namespace {

std::string Name(const State& state) { return state.urn.str() + (state.id.empty() ? "" : " (ID " + state.id + ")"); }

class Merger {
 public:
  Merger(const JournalContents& journal, Snapshot snapshot) : journal_(journal), snapshot_(std::move(snapshot)) {}

  Result<MergeReport> Run(Snapshot* merged) {
    for (const JournalEntry& entry : journal_.entries) {
      if (entry.kind == EntryKind::kFence) proven_ = entry.proven;
    }
    for (const JournalEntry& entry : journal_.entries) Take(entry);
    if (proven_ == 0) KeepOpenOperations();
    if (Status settled = Settle(); !settled.ok()) return settled;
    *merged = std::move(snapshot_);
    return std::move(report_);
  }

 private:
  // The header is record 0, the first entry record 1; `proven_` counts records.
  bool IsNews(const JournalEntry& entry) const { return entry.sequence >= proven_; }

  void Take(const JournalEntry& entry) {
    switch (entry.kind) {
      case EntryKind::kBegin:
        if (entry.operation) open_[entry.operation_id] = &entry;
        return;
      case EntryKind::kSuccess:
        if (IsNews(entry)) TakeSuccess(entry);
        open_.erase(entry.operation_id);
        return;
      case EntryKind::kFailure:
        if (IsNews(entry)) DropPending(entry);
        open_.erase(entry.operation_id);
        return;
      case EntryKind::kRefreshSuccess:
      case EntryKind::kOutputs:
        if (IsNews(entry) && entry.state && !IsStillCalledOtherwise(*entry.state)) Renew(*entry.state);
        return;
      case EntryKind::kStateMigration:
        if (IsNews(entry)) TakeMigration(*entry.migration);
        return;
      default:
        return;  // of how the journal itself is read
    }
  }

  void TakeSuccess(const JournalEntry& entry) {
    DropPending(entry);
    const auto begun = open_.find(entry.operation_id);
    if (entry.state && IsStillCalledOtherwise(*entry.state)) return;
    if (entry.state) {
      const bool made = begun != open_.end() && begun->second->operation != OperationType::kUpdating;
      if (made || !IsDeletedSince(*entry.state)) Merge(entry.state);
      return;
    }
    if (begun == open_.end()) return;  // it took nothing away but a record
    const bool waits = entry.pending_replacement_old >= 0 || entry.pending_replacement_new > 0;
    Remove(*begun->second->state, waits);
  }

  // The state has taken part in a migration if it has none of its predecessors, all of its successors, and each
  // resource that kept its URN is the same thing.
  std::optional<std::vector<size_t>> PlacesOf(const StateMigrationEntry& migration) {
    std::set<size_t> places;
    for (const auto& [from, to] : migration.successors) {
      const StatePtr* there = Find(from, false);
      if (!there) return std::nullopt;
      places.insert(there - snapshot_.resources.data());
    }
    for (const StatePtr& state : migration.result) {
      const StatePtr* there = Find(state->urn, false);
      if (!there) continue;
      if ((*there)->id != state->id) return std::nullopt;
      places.insert(there - snapshot_.resources.data());
    }
    if (places.empty()) return std::nullopt;
    return std::vector<size_t>(places.begin(), places.end());
  }

  // A resource that kept its name and changed since stays as it is; the others are as the migration made them.
  std::vector<StatePtr> ResultFor(const StateMigrationEntry& migration) {
    std::vector<StatePtr> result;
    for (const StatePtr& state : migration.result) {
      const StatePtr* same = Find(state->urn, false);
      const bool is_newer = same && (*same)->modified > state->modified;
      if (const StatePtr served = is_newer ? *same : Served(state)) result.push_back(served);
    }
    return result;
  }

  Result<std::vector<decisions::PlacedState>> Migrated(const StateMigrationEntry& migration) {
    const std::vector<StatePtr> result = ResultFor(migration);
    const auto places = PlacesOf(migration);
    if (!places || result.size() < migration.result.size()) {
      return Status(Code::kNotFound, "the state lacks resources of the migration");
    }
    return decisions::PlaceResult(snapshot_.resources, *places, result,
                                  decisions::Successors(migration.successors, result));
  }

  void TakeMigration(const StateMigrationEntry& migration) {
    const auto placed = Migrated(migration);
    if (!placed.ok()) {
      for (const auto& [from, to] : migration.successors) unmigrated_.emplace(to, from);
      report_.warnings.push_back("skipped a state migration, because its resources are no longer in the state (" +
                                 migration.result.front()->urn.str() + "); the next update asks for it again");
      return;
    }
    snapshot_.resources.clear();
    for (const decisions::PlacedState& one : *placed) snapshot_.resources.push_back(one.state);
    for (const auto& [from, to] : migration.successors) {
      report_.changes.push_back("migrated " + from.str() + " to " + to.str());
    }
    if (migration.successors.empty()) report_.changes.push_back("migrated " + migration.result.front()->urn.str());
  }

  // The state has it under the name from before a migration that was left out: a second record would be its end.
  bool IsStillCalledOtherwise(const State& state) {
    const auto former = unmigrated_.find(state.urn);
    if (former == unmigrated_.end() || !Find(former->second, false)) return false;
    report_.warnings.push_back("skipped, because the state still calls it " + former->second.str() + ": " +
                               Name(state));
    return true;
  }

  StatePtr* Find(const Urn& urn, bool pending_delete) {
    const auto found = std::find_if(snapshot_.resources.begin(), snapshot_.resources.end(), [&](const StatePtr& s) {
      return s->urn == urn && s->pending_delete == pending_delete;
    });
    return found == snapshot_.resources.end() ? nullptr : &*found;
  }

  StatePtr* FindById(const State& wanted) {
    const auto found = std::find_if(snapshot_.resources.begin(), snapshot_.resources.end(),
                                    [&](const StatePtr& s) { return s->urn == wanted.urn && s->id == wanted.id; });
    return found == snapshot_.resources.end() ? nullptr : &*found;
  }

  // The same thing, under a URN that the program has changed by an alias.
  StatePtr* FindByFormerName(const State& renamed) {
    const auto found = std::find_if(snapshot_.resources.begin(), snapshot_.resources.end(), [&](const StatePtr& s) {
      const auto& names = renamed.aliases;
      return !s->pending_delete && s->id == renamed.id && std::find(names.begin(), names.end(), s->urn) != names.end();
    });
    return found == snapshot_.resources.end() ? nullptr : &*found;
  }

  // References to the former name follow (Settle). Two records of one thing would be its end: the next update would
  // delete it as one of them.
  void TakeNewName(StatePtr* former, const StatePtr& state) {
    if (Find(state->urn, false)) return;  // who has the state has made another of that name: this one stays what it was
    if ((*former)->modified >= state->modified && state->custom) return;
    report_.changes.push_back("renamed " + (*former)->urn.str() + " to " + Name(*state));
    *former = state;
  }

  // Resources from before: the new owner had them in its state, and must have deleted them. (Without a fence their set
  // is unknown.)
  bool IsDeletedSince(const State& state) {
    const bool is_thing = state.custom && !state.is_provider() && !state.external;
    if (proven_ == 0 || !is_thing || FindById(state) || FindByFormerName(state)) return false;
    report_.changes.push_back("skipped, because it was deleted since: " + Name(state));
    return true;
  }

  void Merge(const StatePtr& given) {
    if (StatePtr* same = FindById(*given)) {
      if (!(*same)->pending_delete && !given->pending_delete) Renew(*given);
      return;
    }
    const StatePtr state = Served(given);
    if (!state) {
      KeepAsPending(given);
      return;
    }
    if (StatePtr* former = FindByFormerName(*state)) {
      TakeNewName(former, state);
      return;
    }
    StatePtr* live = Find(state->urn, false);
    if (!live) {
      Add(state, "added ");
      return;
    }
    if (!state->custom) return;  // has no thing of its own
    if (state->is_provider()) {
      // Nothing is made by configuring it twice; what refers to this one is served by the other.
      providers_[ProviderReference{state->urn, state->id}.str()] = ProviderReference{(*live)->urn, (*live)->id}.str();
      return;
    }
    if (!state->created.empty() && (*live)->created < state->created) {
      Condemn(live);
      Add(state, "added ");
      return;
    }
    auto duplicate = std::make_shared<State>(*state);
    duplicate->pending_delete = true;
    Add(duplicate, "the state has another resource of its name; the next update deletes ");
  }

  void Add(const StatePtr& state, const std::string& what) {
    report_.changes.push_back(what + Name(*state));
    auto added = std::make_shared<State>(*state);
    added->aliases.clear();  // nothing that is there goes by its name
    snapshot_.resources.push_back(std::move(added));
  }

  // Takes a provider that the state has; null if it has none.
  StatePtr Served(const StatePtr& state) {
    const std::optional<std::string> provider = ProviderFor(state->provider);
    if (!provider || *provider == state->provider) return provider ? state : nullptr;
    auto served = std::make_shared<State>(*state);
    served->provider = *provider;
    return served;
  }

  // The provider itself, another of its URN, or itself again: a process with the state may have deleted it since,
  // because no resource that it knew of needed it.
  std::optional<std::string> ProviderFor(const std::string& reference) {
    const auto other = providers_.find(reference);
    if (reference.empty() || other != providers_.end()) return reference.empty() ? reference : other->second;
    const Result<ProviderReference> wanted = ProviderReference::Parse(reference);
    if (!wanted.ok()) return std::nullopt;
    const auto is_wanted = [&wanted](const State& s) { return s.urn == wanted->urn && s.id == wanted->id; };
    const auto& resources = snapshot_.resources;
    if (std::any_of(resources.begin(), resources.end(), [&](const StatePtr& s) { return is_wanted(*s); })) {
      return reference;
    }
    if (const StatePtr* live = Find(wanted->urn, false)) return ProviderReference{(*live)->urn, (*live)->id}.str();
    for (const JournalEntry& entry : journal_.entries) {
      if (!entry.state || !is_wanted(*entry.state)) continue;
      Add(entry.state, "restored, because others need it: ");
      return reference;
    }
    return std::nullopt;
  }

  // It exists, and cannot be recorded.
  void KeepAsPending(const StatePtr& state) {
    snapshot_.pending_operations.push_back({state, OperationType::kCreating});
    report_.warnings.push_back(Name(*state) + " was made by a provider that neither the state nor the journal has (" +
                               state->provider + "), so it stays a pending operation: import it, or delete it by hand");
  }

  void Condemn(StatePtr* live) {
    auto condemned = std::make_shared<State>(**live);
    condemned->pending_delete = true;
    *live = condemned;
    report_.changes.push_back("replaced since; the next update deletes " + Name(*condemned));
  }

  // The record that was written last is the true one.
  void Renew(const State& state) {
    StatePtr* same = FindById(state);
    if (!same || (*same)->pending_delete || (*same)->modified >= state.modified) return;
    auto renewed = std::make_shared<State>(state);
    renewed->provider = ProviderFor(state.provider).value_or((*same)->provider);
    *FindById(state) = renewed;  // found again: the provider may have been added before it
    report_.changes.push_back("updated " + Name(state));
  }

  void Remove(const State& gone, bool waits_for_replacement) {
    StatePtr* found = FindById(gone);
    if (!found) return;
    if (waits_for_replacement) {
      auto waiting = std::make_shared<State>(**found);
      waiting->pending_replacement = true;
      *found = waiting;
      report_.changes.push_back("deleted, and to be created again: " + Name(gone));
      return;
    }
    if (!(*found)->pending_delete && IsNeeded(gone)) {
      report_.warnings.push_back(Name(gone) + " was deleted, but others need it; " + QuotedCommand("refresh") +
                                 " settles it");
      return;
    }
    snapshot_.resources.erase(snapshot_.resources.begin() + (found - snapshot_.resources.data()));
    report_.changes.push_back("removed " + Name(gone));
  }

  bool IsNeeded(const State& state) const {
    const std::string as_provider = ProviderReference{state.urn, state.id}.str();
    for (const StatePtr& other : snapshot_.resources) {
      bool needs = state.is_provider() && other->provider == as_provider;
      ForEachReference(*other, [&](ReferenceKind, const Urn& urn, const std::string&) { needs |= urn == state.urn; });
      if (needs) return true;
    }
    return false;
  }

  // The new owner may have begun to make the same thing again, and been killed: that is another pending operation.
  static bool IsPending(const PendingOperation& pending, const JournalEntry& begin) {
    const State& theirs = *pending.resource;
    const State& ours = *begin.state;
    return pending.type == *begin.operation && theirs.urn == ours.urn && theirs.provider == ours.provider &&
           DeepEqual(theirs.inputs, ours.inputs);
  }

  void DropPending(const JournalEntry& end) {
    const auto begun = open_.find(end.operation_id);
    if (begun == open_.end()) return;
    const JournalEntry& begin = *begun->second;
    auto& pending = snapshot_.pending_operations;
    const auto found = std::find_if(pending.begin(), pending.end(),
                                    [&begin](const PendingOperation& p) { return IsPending(p, begin); });
    if (found == pending.end()) return;
    pending.erase(found);
    report_.changes.push_back(std::string("no longer unknown: ") + OperationTypeName(*begin.operation) + " " +
                              begin.state->urn.str());
  }

  // Reads the valid entries of a journal whose end is missing. In one that was kept by its owner all is either ended or
  // in the state.
  void KeepOpenOperations() {
    for (const auto& [id, begin] : open_) {
      const bool known = std::any_of(snapshot_.pending_operations.begin(), snapshot_.pending_operations.end(),
                                     [&wanted = *begin](const PendingOperation& p) { return IsPending(p, wanted); });
      if (known) continue;
      snapshot_.pending_operations.push_back({begin->state, *begin->operation});
      report_.warnings.push_back(std::string("the engine cannot tell whether this took effect: ") +
                                 OperationTypeName(*begin->operation) + " " + begin->state->urn.str());
    }
  }

  // In order, and without references to what is not there.
  Status Settle() {
    NormalizeUrns(&snapshot_);
    auto sorted = TopologicalSort(snapshot_.resources);
    if (!sorted.ok()) return sorted.status();
    std::vector<PruneResult> pruned;
    snapshot_.resources = Prune(*sorted, &pruned);
    for (const PruneResult& result : pruned) {
      for (const PruneResult::Removed& reference : result.removed) {
        report_.warnings.push_back(result.new_urn.str() + " lost its " + reference.kind + " " + reference.urn.str() +
                                   ", which the state does not have");
      }
    }
    return VerifyIntegrity(snapshot_);
  }

  const JournalContents& journal_;
  Snapshot snapshot_;
  MergeReport report_;
  int64_t proven_ = 0;
  std::map<int64_t, const JournalEntry*> open_;
  std::unordered_map<Urn, Urn> unmigrated_;  // names that a migration would have given, and what they were before
  std::unordered_map<std::string, std::string> providers_;  // references to those that another serves for
};

}  // namespace

Result<MergeReport> MergeJournal(const JournalContents& journal, Snapshot* snapshot) {
  Snapshot merged;
  Result<MergeReport> report = Merger(journal, *snapshot).Run(&merged);
  if (report.ok()) *snapshot = std::move(merged);
  return report;
}

}  // namespace kingpost
