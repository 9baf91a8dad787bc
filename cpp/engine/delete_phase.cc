// SPDX-License-Identifier: Apache-2.0
#include "engine/delete_phase.h"

#include <algorithm>
#include <deque>

#include "model/references.h"

namespace kingpost::engine {

// Which deletes have ended, and which resources have to stay because something that depends on them is still there.
struct DeletePhase::Progress {
  plan::DeleteSchedule schedule;
  std::vector<std::unique_ptr<Event>> ended;
  std::vector<bool> stays, begun;
  std::unordered_map<const State*, int> number_of;  // of a condemned node
};

const DependencyGraph& DeletePhase::Graph() {
  if (state_.to_delete.empty()) return state_.graph();
  if (!own_graph_) {
    std::vector<StatePtr> all = state_.to_delete;
    all.insert(all.end(), state_.base().begin(), state_.base().end());
    own_graph_ = std::make_unique<DependencyGraph>(std::move(all));
  }
  return *own_graph_;
}

// Both walk URNs and look at all states that have them: what the program says of a resource may be more, or less, than
// what was recorded of it. Of a renamed one the program knows the new name, and what it did not register the old one.
std::unordered_set<Urn> DeletePhase::WithDependents(const plan::UrnPatterns& targets) {
  std::unordered_set<Urn> found;
  std::deque<Urn> frontier;
  for (const StatePtr& state : Graph().resources()) {
    if (targets.Contains(state->urn)) frontier.push_back(state->urn);
  }
  for (; !frontier.empty(); frontier.pop_front()) {
    const Urn next = frontier.front();
    if (found.count(next) > 0) continue;
    for (const StatePtr& state : Graph().StatesOf(next)) {
      for (const StatePtr& dependent : Graph().DependingOn(state, found, true)) frontier.push_back(dependent->urn);
    }
    for (const auto* other_names : {&state_.alias_of, &state_.aliased}) {
      const auto other = other_names->find(next);
      if (other == other_names->end()) continue;
      frontier.push_back(other->second);
      other_names_.insert(other->second);
    }
    found.insert(next);
  }
  return found;
}

std::unordered_set<Urn> DeletePhase::WithDependencies(const plan::UrnPatterns& excludes) {
  std::unordered_set<Urn> found;
  std::deque<Urn> frontier;
  for (const StatePtr& state : Graph().resources()) {
    const bool keep = (excludes.constrained() && excludes.Contains(state->urn)) ||
                      (operation_.options.exclude_protected && state->protect);
    if (keep) frontier.push_back(state->urn);
  }
  for (; !frontier.empty(); frontier.pop_front()) {
    const Urn next = frontier.front();
    if (found.count(next) > 0) continue;
    for (const StatePtr& state : Graph().StatesOf(next)) {
      for (const StatePtr& dependency : Graph().DependenciesOf(state)) frontier.push_back(dependency->urn);
      if (!operation_.options.exclude_dependents) continue;
      for (const StatePtr& dependent : Graph().DependingOn(state, found, true)) frontier.push_back(dependent->urn);
    }
    const auto renamed = state_.aliased.find(next);
    if (renamed != state_.aliased.end()) frontier.push_back(renamed->second);
    found.insert(next);
  }
  return found;
}

Task<Status> DeletePhase::FindTargets() {
  if (state_.targets.constrained()) {
    allowed_ = WithDependents(state_.targets);
    const std::unordered_set<Urn> targets = *allowed_;
    for (const Urn& target : targets) {
      for (const StatePtr& current : state_.AllOld(target)) {
        auto dependents = co_await registrar_.DependentReplacements(current);
        if (!dependents.ok()) co_return dependents.status();
        for (const DependentReplace& dependent : *dependents) allowed_->insert(dependent.state->urn);
        for (const DependentReplace& named : registrar_.CascadeReplacements(target)) {
          allowed_->insert(named.state->urn);
        }
      }
    }
    co_return Status();
  }
  if (state_.excludes.constrained() || operation_.options.exclude_protected) {
    forbidden_ = WithDependencies(state_.excludes);
  }
  co_return Status();
}

bool DeletePhase::IsTargeted(const State& state) const {
  if (allowed_) return allowed_->count(state.urn) > 0;
  return !forbidden_ || forbidden_->count(state.urn) == 0;
}

// What an old side is called may be the name of something else by now. [--target A, A' is now called B, and an old B
// waits for its delete]: A' goes, B does not. [--exclude A, of which only an old side is left]: there is nothing to
// keep.
bool DeletePhase::IsOldSideTargeted(const State& old_side) const {
  if (allowed_) {
    const bool by_name = other_names_.count(old_side.urn) == 0 || state_.targets.Contains(old_side.urn);
    return IsTargeted(old_side) && by_name;
  }
  const bool guarded = operation_.options.exclude_protected && old_side.protect;
  return IsTargeted(old_side) || (!guarded && !state_.Old(old_side.urn));
}

// [A was only read, and then made; targets name something else]: the old A still waits to be forgotten.
plan::StepPtr DeletePhase::KeptAsItStands(const StatePtr& recorded) const {
  plan::StepPtr same = plan::UntargetedSame(recorded);
  same->new_state->pending_delete = state_.WaitsForDelete(recorded);
  same->new_state->pending_replacement = state_.WaitsForReplacement(recorded);
  const auto now = state_.news.find(recorded->urn);
  if (now == state_.news.end() || recorded->pending_delete) return same;
  // [destroy --run-program --exclude A, and the program calls an output of A a secret]: it is kept as one.
  for (const auto& [key, value] : recorded->outputs) {
    const Value* registered = value.is_secret() ? nullptr : now->second->outputs.Find(key);
    const bool sealed = registered && registered->is_secret() && DeepEqual(registered->as_secret().element, value);
    if (sealed) same->new_state->outputs.Set(key, *registered);
  }
  return same;
}

void DeletePhase::ConsiderBase(const StatePtr& recorded) {
  if (!(recorded->pending_delete ? IsOldSideTargeted(*recorded) : IsTargeted(*recorded))) {
    // An old side that went for the sake of a replacement is not there any more.
    const bool went = state_.WaitsForDelete(recorded) && state_.deleted_early.count(recorded.get()) > 0;
    if (!went && !state_.IsOperatedOn(recorded->urn)) kept_.push_back(KeptAsItStands(recorded));
    return;
  }
  auto refreshed = state_.refreshed.find(recorded.get());
  const StatePtr current = refreshed == state_.refreshed.end() ? recorded : refreshed->second;
  if (state_.WaitsForDelete(recorded) || state_.WaitsForDelete(current)) {
    if (state_.deleted_early.count(recorded.get()) > 0) return;
    state_.Mark(current->urn, kDeleted);
    condemned_.push_back({plan::DeleteReplaced(current, false), recorded});
    // Deleted by an earlier run, and replaced in this one: it is no longer recorded. What was only read still is.
    const bool was_gone = state_.WaitsForReplacement(recorded) && !recorded->external;
    condemned_.back().step->old_is_gone = was_gone && !recorded->pending_delete;
    return;
  }
  if (state_.IsOperatedOn(recorded->urn)) return;
  state_.Mark(recorded->urn, kDeleted);
  const bool waits = state_.WaitsForReplacement(recorded) || state_.WaitsForReplacement(current);
  condemned_.push_back({waits ? plan::RemovePendingReplace(current) : plan::Delete(current), recorded});
}

// What all that is there when the deletes have run refers to.
DeletePhase::InUse DeletePhase::WhatIsInUse() const {
  std::unordered_set<StatePtr> going;
  for (const Condemned& condemned : condemned_) going.insert({condemned.node, condemned.step->old_state});
  InUse used;
  const auto add = [&used](const State& state) {
    used.providers.insert(state.provider);
    ForEachReference(state, [&](ReferenceKind, const Urn& urn, const std::string&) { used.urns.insert(urn); });
  };
  for (const auto* results : {&state_.news, &state_.reads}) {
    for (const auto& [urn, state] : *results) {
      if (going.count(state) == 0) add(*state);
    }
  }
  for (const plan::StepPtr& kept : kept_) add(*kept->new_state);
  for (const StatePtr& recorded : state_.base()) {
    if (going.count(recorded) > 0 || state_.deleted_early.count(recorded.get()) > 0) continue;
    const bool waits = state_.WaitsForDelete(recorded) && !state_.WaitsForReplacement(recorded);
    if (waits || StaysAsRecorded(recorded)) add(*recorded);
  }
  return used;
}

// [P was replaced, and A, which targets or excludes left out or which failed, is still served by the old P]: that stays
// with A, and what it stands on with it. [B had to go with P and is not in the program, but A, which is left out, names
// it]: it waits on.
void DeletePhase::SpareWhatIsInUse() {
  const auto is_old_provider = [this](const Condemned& condemned) {
    return condemned.node->is_provider() && state_.WaitsForDelete(condemned.node);
  };
  const auto waits = [](const Condemned& condemned) { return condemned.step->op == StepOp::kRemovePendingReplace; };
  const auto may_be_spared = [&](const Condemned& condemned) { return is_old_provider(condemned) || waits(condemned); };
  if (std::none_of(condemned_.begin(), condemned_.end(), may_be_spared)) return;
  InUse used = WhatIsInUse();
  const auto is_used = [&](const Condemned& condemned) {
    const StatePtr& state = condemned.step->old_state;
    if (waits(condemned)) return used.urns.count(state->urn) > 0 && state_.news.count(state->urn) == 0;
    const auto now = state_.news.find(state->urn);  // may be the same one: replaced, and read back
    const bool same_id = now != state_.news.end() && now->second->id == state->id;
    return is_old_provider(condemned) && !same_id &&
           used.providers.count(ProviderReference{state->urn, state->id}.str()) > 0;
  };
  std::unordered_set<StatePtr> spared;
  for (size_t before = 1; before != spared.size();) {
    before = spared.size();
    for (const Condemned& condemned : condemned_) {
      if (!is_used(condemned) || !spared.insert(condemned.node).second) continue;
      for (const StatePtr& dependency : Graph().TransitiveDependenciesOf(condemned.node)) {
        spared.insert(dependency);
        used.providers.insert(dependency->provider);
      }
    }
  }
  const auto is_spared = [&](const Condemned& condemned) {
    if (spared.count(condemned.node) == 0) return false;
    if (condemned.step->op == StepOp::kDelete) state_.Unmark(condemned.node->urn, kDeleted);
    return true;
  };
  condemned_.erase(std::remove_if(condemned_.begin(), condemned_.end(), is_spared), condemned_.end());
}

Task<Status> DeletePhase::Choose() {
  KP_CO_TRY(co_await FindTargets());
  for (const StatePtr& recorded : state_.base()) {
    if (!recorded->is_view()) ConsiderBase(recorded);
  }
  for (const StatePtr& registered : state_.to_delete) {
    if (!IsTargeted(*registered)) continue;
    state_.Mark(registered->urn, kDeleted);
    // Its outputs may have been registered since.
    auto latest = state_.news.find(registered->urn);
    const StatePtr current = latest == state_.news.end() ? registered : latest->second;
    condemned_.push_back(
        {current->pending_replacement ? plan::RemovePendingReplace(current) : plan::Delete(current), registered});
  }
  SpareWhatIsInUse();
  for (const Condemned& condemned : condemned_) {
    if (condemned.step->op == StepOp::kRemovePendingReplace || condemned.step->old_is_gone) continue;
    const StatePtr owner = condemned.step->old_state;
    KP_CO_TRY(
        (co_await registrar_.EnsureProvider(owner)).Wrap("could not load provider for resource " + owner->urn.str()));
  }
  co_return Status();
}

Status DeletePhase::CheckTargets() const {
  if (!state_.targets.constrained() || operation_.options.target_dependents) return Status();
  bool untargeted = false;
  for (const Condemned& condemned : condemned_) {
    const Urn& urn = condemned.step->urn();
    const auto former = state_.alias_of.find(urn);
    const bool named_before = former != state_.alias_of.end() && state_.targets.Contains(former->second);
    if (named_before || state_.targets.Contains(urn)) continue;
    report_.Error(urn, "Resource '" + urn.str() +
                           "' will be destroyed but was not specified in --target list.\n"
                           "Either include resource in --target list or pass --target-dependents to proceed.");
    state_.saw_error = true;
    untargeted = true;
  }
  if (untargeted && !operation_.options.preview) return Status::Bail("delete untargeted resource");
  return Status();
}

// [An earlier run replaced A with A', and B, which depends on it, could not be deleted]: B needs A', not A. But a
// provider is named by its ID, and what this run has replaced is still what B was made with.
bool DeletePhase::Needs(const Condemned& dependent, const Condemned& needed) const {
  if (!state_.WaitsForDelete(needed.node) || state_.WaitsForDelete(dependent.node)) return true;
  const State& old_side = *needed.step->old_state;
  const StatePtr now = state_.Old(old_side.urn);
  if (!now || now == needed.node) return true;
  const bool served = dependent.step->old_state->provider == ProviderReference{old_side.urn, old_side.id}.str();
  return served && now->id != old_side.id;
}

// [A cannot be deleted; it depends on B, which the program has changed and which depended on C]: C waits for no delete
// of B, but A was made with all of them.
void DeletePhase::KeepForFailed(int index, Progress* progress) {
  if (Graph().IndexOf(condemned_[index].node) < 0) return;
  for (const StatePtr& needed : Graph().TransitiveDependenciesOf(condemned_[index].node)) {
    const auto found = progress->number_of.find(needed.get());
    if (found == progress->number_of.end() || progress->begun[found->second]) continue;
    if (Needs(condemned_[index], condemned_[found->second])) progress->stays[found->second] = true;
  }
}

Task<void> DeletePhase::RunOne(int index, Progress* progress) {
  for (int dependent : progress->schedule.before[index]) {
    co_await *progress->ended[dependent];
    if (progress->stays[dependent] && Needs(condemned_[dependent], condemned_[index])) progress->stays[index] = true;
  }
  if (!progress->stays[index]) {
    progress->begun[index] = true;
    plan::Chain chain = {condemned_[index].step};
    Executor::ChainResult result = co_await executor_.Run(std::move(chain));
    progress->stays[index] = result.outcome != Executor::Outcome::kDone;
    if (progress->stays[index]) KeepForFailed(index, progress);
  }
  progress->ended[index]->Set();
}

// A recorded resource that this run neither renewed nor condemned: its step failed, or it was left out because of
// another failure.
bool DeletePhase::StaysAsRecorded(const StatePtr& recorded) const {
  if (recorded->is_view()) return false;
  const auto refreshed = state_.refreshed.find(recorded.get());
  if (refreshed != state_.refreshed.end() && !refreshed->second) return false;  // it is gone
  const auto renamed = state_.aliased.find(recorded->urn);
  if (renamed == state_.aliased.end()) return state_.news.count(recorded->urn) + state_.reads.count(recorded->urn) == 0;
  // What targets leave out is renewed under its old name.
  const auto kept = state_.news.find(recorded->urn);
  if (kept != state_.news.end() && kept->second->id == recorded->id) return false;
  return state_.news.count(renamed->second) + state_.reads.count(renamed->second) == 0;
}

// [A replaces A' in a run that continues on errors, and fails]: A' is still there, and so must be all it depends on.
void DeletePhase::KeepWhatOthersNeed(const std::vector<StatePtr>& nodes, Progress* progress) {
  if (!operation_.options.continue_on_error) return;  // else a failure leaves no deletes
  const std::unordered_set<StatePtr> condemned(nodes.begin(), nodes.end());
  std::unordered_set<const State*> needed;
  for (const StatePtr& recorded : state_.base()) {
    const StatePtr node = state_.Original(recorded);
    if (condemned.count(node) > 0 || Graph().IndexOf(node) < 0 || !StaysAsRecorded(recorded)) continue;
    for (const StatePtr& state : Graph().TransitiveDependenciesOf(node)) needed.insert(state.get());
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (needed.count(nodes[i].get()) > 0) progress->stays[i] = true;
  }
}

Task<void> DeletePhase::RunDeletes() {
  std::vector<StatePtr> nodes;
  for (const Condemned& condemned : condemned_) nodes.push_back(condemned.node);
  Progress progress;
  progress.schedule = plan::ScheduleDeletes(Graph(), nodes);
  WaitForOldNames(&progress.schedule);
  WaitForLaterProviders(&progress.schedule);
  progress.stays.assign(condemned_.size(), false);
  progress.begun.assign(condemned_.size(), false);
  for (size_t i = 0; i < nodes.size(); ++i) progress.number_of.emplace(nodes[i].get(), static_cast<int>(i));
  for (size_t i = 0; i < condemned_.size(); ++i) progress.ended.push_back(std::make_unique<Event>(loop_));
  KeepWhatOthersNeed(nodes, &progress);
  if (operation_.options.parallel == 1) {  // as Pulumi orders them: it matters where one fails
    for (int i : plan::InWaves(progress.schedule)) co_await RunOne(i, &progress);
    co_return;
  }
  Group group(loop_);
  for (size_t i = 0; i < condemned_.size(); ++i) group.Spawn(RunOne(static_cast<int>(i), &progress));
  co_await group.Wait();
}

Task<Status> DeletePhase::Run() {
  if (state_.base().empty() && state_.to_delete.empty()) co_return Status();
  KP_CO_TRY(co_await Choose());
  plan::Chain all = kept_;
  for (const Condemned& condemned : condemned_) all.push_back(condemned.step);
  KP_CO_TRY(registrar_.TakeOps(all));
  KP_CO_TRY(CheckTargets());
  if (!kept_.empty()) {
    co_await executor_.Run(kept_);
  }
  co_await RunDeletes();
  co_return Status();
}

}  // namespace kingpost::engine
