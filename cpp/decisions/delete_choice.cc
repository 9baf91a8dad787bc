// SPDX-License-Identifier: Apache-2.0
#include "decisions/delete_choice.h"

#include <algorithm>

#include "decisions/remaking.h"
#include "model/references.h"

namespace kingpost::decisions {

namespace {

// Also over what a program registered for deletion; null if that is nothing.
std::unique_ptr<DependencyGraph> GraphWithRegistered(const Rows& rows) {
  if (rows.to_delete().empty()) return nullptr;
  std::vector<StatePtr> all(rows.to_delete().begin(), rows.to_delete().end());
  all.insert(all.end(), rows.base().begin(), rows.base().end());
  return std::make_unique<DependencyGraph>(std::move(all));
}

}  // namespace

DeleteChoice::DeleteChoice(const Rows& rows, const Selection& selection, bool destroys, bool exclude_protected)
    : rows_(rows),
      destroys_(destroys),
      own_graph_(GraphWithRegistered(rows)),
      selection_(
          selection, [this]() -> const DependencyGraph& { return graph(); }, rows, exclude_protected) {}

const DependencyGraph& DeleteChoice::graph() const { return own_graph_ ? *own_graph_ : rows_.graph(); }

// [A was only read, and then made; targets name something else]: the old A still waits to be forgotten.
StepPtr DeleteChoice::MakeKeptSame(const StatePtr& recorded) const {
  StepPtr same = UntargetedSame(recorded);
  same->because = selection_.WhyLeftOut();
  same->new_state->pending_delete = rows_.WaitsForDelete(recorded);
  same->new_state->pending_replacement = rows_.WaitsForReplacement(recorded);
  const StatePtr now = rows_.Registered(recorded->urn);
  if (!now || same->new_state->pending_delete) return same;
  // [destroy --run-program --exclude A, and the program calls an output of A a secret]: it is kept as one.
  for (const auto& [key, value] : recorded->outputs) {
    const Value* registered = value.is_secret() ? nullptr : now->outputs.Find(key);
    const bool sealed = registered && registered->is_secret() && DeepEqual(registered->as_secret().element, value);
    if (sealed) same->new_state->outputs.Set(key, *registered);
  }
  return same;
}

void DeleteChoice::Go(StepPtr step, StatePtr node, Rule rule) {
  step->because = Because(destroys_ ? Rule::kDestroyed : rule);
  deletes_.going.push_back({std::move(step), std::move(node)});
}

void DeleteChoice::ConsiderBase(const StatePtr& recorded) {
  const RecordedState& side = *rows_.RecordedStateOf(recorded);
  if (!(recorded->pending_delete ? selection_.TakeOldSide(*recorded) : selection_.Take(*recorded))) {
    // An old side that went for the sake of a replacement is not there any more.
    const bool went = side.waits_for_delete() && side.is_deleted_first();
    if (!went && !rows_.IsOperatedOn(recorded->urn)) deletes_.kept.push_back(MakeKeptSame(recorded));
    return;
  }
  if (side.is_gone()) return;
  const StatePtr& current = side.current();
  const bool waits = side.waits_for_replacement() || current->pending_replacement;
  if (side.waits_for_delete()) {
    if (side.is_deleted_first()) return;
    // [A was deleted by an earlier run, and in this one an import takes its place]: there is nothing to delete.
    Go(waits ? RemovePendingReplace(current) : DeleteReplaced(current, AfterStep::kSuperseded), recorded,
       Rule::kSupersededState);
    return;
  }
  if (rows_.IsOperatedOn(recorded->urn)) return;
  Go(DeleteOrDrop(current, waits), recorded, Rule::kNotRegistered);
}

void DeleteChoice::ConsiderRegistered(const StatePtr& registered) {
  if (!selection_.Take(*registered)) return;
  // Its outputs may have been registered since.
  const StatePtr latest = rows_.Registered(registered->urn);
  const StatePtr& current = latest ? latest : registered;
  Go(Delete(current), registered, Rule::kDestroyed);  // also what is gone already: the program has spoken of it
}

struct DeleteChoice::InUse {
  std::unordered_set<std::string> providers;  // references
  std::unordered_set<Urn> urns;

  void Add(const State& state) {
    providers.insert(state.provider);
    ForEachReference(state, [this](ReferenceKind, const Urn& urn, const std::string&) { urns.insert(urn); });
  }
};

// The resources that the remaining ones refer to after the deletes.
DeleteChoice::InUse DeleteChoice::CollectStatesInUse() const {
  std::unordered_set<StatePtr> going;
  for (const DeleteStep& one : deletes_.going) going.insert({one.node, one.step->old_state});
  InUse used;
  for (const Row* row : rows_.Published()) {
    if (going.count(row->now()) == 0) used.Add(*row->now());
  }
  for (const StepPtr& kept : deletes_.kept) used.Add(*kept->new_state);
  for (const StatePtr& recorded : rows_.base()) {
    if (going.count(recorded) > 0 || rows_.IsDeletedFirst(recorded)) continue;
    const bool waits = rows_.WaitsForDelete(recorded) && !rows_.WaitsForReplacement(recorded);
    if (waits || IsUntouched(recorded, rows_)) used.Add(*recorded);
  }
  return used;
}

// [P was replaced, and the old P still serves A, which targets or excludes left out or which failed]: the old P stays
// with A, and so do its dependencies. [B had to go with P and is not in the program, but A, which is left out, names
// it]: it waits on.
void DeleteChoice::KeepStatesInUse() {
  const auto is_old_provider = [this](const DeleteStep& one) {
    return one.node->is_provider() && rows_.WaitsForDelete(one.node);
  };
  const auto waits = [](const DeleteStep& one) { return one.step->op == StepOp::kRemovePendingReplace; };
  const auto may_be_spared = [&](const DeleteStep& one) { return is_old_provider(one) || waits(one); };
  if (std::none_of(deletes_.going.begin(), deletes_.going.end(), may_be_spared)) return;
  InUse used = CollectStatesInUse();
  const auto is_used = [&](const DeleteStep& one) {
    const StatePtr& state = one.step->old_state;
    const StatePtr now = rows_.Registered(state->urn);  // may be the same one: replaced, and read back
    if (!is_old_provider(one)) return waits(one) && used.urns.count(state->urn) > 0 && !now;
    const bool same_id = now && now->id == state->id;
    return !same_id && used.providers.count(ProviderReference{state->urn, state->id}.str()) > 0;
  };
  std::unordered_set<StatePtr> spared;
  for (size_t before = 1; before != spared.size();) {
    before = spared.size();
    for (const DeleteStep& one : deletes_.going) {
      if (!is_used(one) || !spared.insert(one.node).second) continue;
      for (const StatePtr& dependency : graph().TransitiveDependenciesOf(one.node)) {
        spared.insert(dependency);
        used.providers.insert(dependency->provider);
      }
    }
  }
  const auto is_spared = [&spared](const DeleteStep& one) { return spared.count(one.node) > 0; };
  deletes_.going.erase(std::remove_if(deletes_.going.begin(), deletes_.going.end(), is_spared), deletes_.going.end());
}

Deletes DeleteChoice::Choose() {
  for (const StatePtr& recorded : rows_.base()) {
    if (!recorded->is_view()) ConsiderBase(recorded);
  }
  for (const Draft& registered : rows_.to_delete()) ConsiderRegistered(registered);
  KeepStatesInUse();
  return std::move(deletes_);
}

std::vector<UntargetedDelete> UntargetedDeletes(const Deletes& deletes, const Rows& rows, const Selection& selection) {
  std::vector<UntargetedDelete> complaints;
  for (const DeleteStep& going : deletes.going) {
    const Urn& urn = going.step->urn();
    if (auto text = selection.RefusalOfDelete(urn, rows)) complaints.push_back({urn, std::move(*text)});
  }
  return complaints;
}

bool IsUntouched(const StatePtr& recorded, const Rows& rows) {
  const RecordedState* side = rows.RecordedStateOf(recorded);
  if (recorded->is_view() || (side && side->is_gone())) return false;
  const StatePtr now = rows.Now(recorded->urn);
  if (!now) return true;
  // A resource that targets leave out is renewed under its old name.
  return rows.IsRenamed(recorded->urn) && now->urn == recorded->urn && now->id != recorded->id;
}

}  // namespace kingpost::decisions
