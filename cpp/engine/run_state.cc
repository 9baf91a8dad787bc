// SPDX-License-Identifier: Apache-2.0
#include "engine/run_state.h"

#include <algorithm>

#include "model/doubt.h"

namespace kingpost::engine {

namespace {

constexpr unsigned kStepBits = kCreated | kUnchanged | kUpdated | kDeleted | kReplaced | kRead;

std::vector<std::string> Joined(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

const std::vector<StatePtr>& Lookup(const std::unordered_map<Urn, std::vector<StatePtr>>& map, const Urn& urn) {
  static const std::vector<StatePtr> kNone;
  auto found = map.find(urn);
  return found == map.end() ? kNone : found->second;
}

}  // namespace

RunState::RunState(const Operation& operation) : operation_(operation) {
  const OperationOptions& options = operation.options;
  targets = plan::UrnPatterns(Joined(options.targets, options.target_replaces));
  excludes = plan::UrnPatterns(options.excludes);
  replaces = plan::UrnPatterns(Joined(options.replaces, options.target_replaces));
  targets_actual = targets;
  excludes_actual = excludes;
}

void RunState::SetBase(std::vector<StatePtr> resources) {
  base_ = std::move(resources);
  graph_.reset();
  olds_.clear();
  all_olds_.clear();
  old_views_.clear();
  named_by_.clear();
  olds_.reserve(base_.size());
  all_olds_.reserve(base_.size());
  for (const StatePtr& state : base_) {
    all_olds_[state->urn].push_back(state);
    if (state->pending_delete) continue;
    olds_[state->urn] = state;
    IndexNames(state);
    if (state->is_view()) old_views_[state->view_of].push_back(state);
  }
}

void RunState::DoubtDeletes(const Snapshot& recorded) {
  for (size_t i : DeletesInDoubt(recorded)) in_doubt_.insert(recorded.resources[i].get());
}

StatePtr RunState::Old(const Urn& urn) const {
  auto found = olds_.find(urn);
  return found == olds_.end() ? nullptr : found->second;
}

const std::vector<StatePtr>& RunState::AllOld(const Urn& urn) const { return Lookup(all_olds_, urn); }
const std::vector<StatePtr>& RunState::OldViews(const Urn& owner) const { return Lookup(old_views_, owner); }

const DependencyGraph& RunState::graph() const {
  if (!graph_) graph_ = std::make_unique<DependencyGraph>(base_);
  return *graph_;
}

StatePtr RunState::OldProvider(const ProviderReference& ref) const {
  for (const StatePtr& state : AllOld(ref.urn)) {
    if (state->id == ref.id) return state;
  }
  return nullptr;
}

void RunState::Mark(const Urn& urn, unsigned bits) {
  progress_[urn] |= bits;
  if ((bits & kStepBits) == 0) return;
  stepped_.insert(urn);
  const auto alias = alias_of.find(urn);
  if (alias != alias_of.end()) stepped_.insert(alias->second);
}

void RunState::Unmark(const Urn& urn, unsigned bits) {
  auto found = progress_.find(urn);
  if (found == progress_.end()) return;
  found->second &= ~bits;
  if ((found->second & kStepBits) != 0) return;
  stepped_.erase(urn);
  const auto alias = alias_of.find(urn);
  if (alias != alias_of.end()) stepped_.erase(alias->second);
}

bool RunState::Is(const Urn& urn, unsigned any_of) const {
  auto found = progress_.find(urn);
  return found != progress_.end() && (found->second & any_of) != 0;
}

const Urn& RunState::NowCalled(const Urn& urn) const {
  const auto alias = aliased.find(urn);
  return alias == aliased.end() ? urn : alias->second;
}

bool RunState::IsOperatedOn(const Urn& urn) const {
  return Is(NowCalled(urn), kUnchanged | kUpdated | kReplaced | kRead | kRefreshed);
}

void RunState::PublishNew(const StatePtr& state) {
  auto [slot, inserted] = news.insert_or_assign(state->urn, state);
  if (inserted) news_order.push_back(state->urn);
}

void RunState::ForgetNews() {
  news.clear();
  news_order.clear();
}

void RunState::IndexNames(const StatePtr& state) {
  const auto add = [&](const Urn& named) {
    std::vector<StatePtr>& by = named_by_[named];
    if (by.empty() || by.back() != state) by.push_back(state);
  };
  if (!state->deleted_with.empty()) add(state->deleted_with);
  for (const Urn& urn : state->replace_with) add(urn);
}

std::vector<StatePtr> RunState::NamedBy(const Urn& urn) const {
  std::vector<StatePtr> result;
  const auto found = named_by_.find(urn);
  if (found == named_by_.end()) return result;
  for (const StatePtr& state : found->second) {
    if (!HasStep(state->urn)) result.push_back(state);
  }
  return result;
}

bool RunState::IsIncluded(const State& state) const {
  if (targets.constrained()) return IsTargeted(state);
  if (excludes.constrained()) return !IsExcluded(state);
  return true;
}

bool RunState::IsTargeted(const State& state) const {
  if (targets.constrained() && targets.Contains(state.urn)) return true;
  if (!operation_.options.target_dependents) return false;
  return plan::DependsOnAny(state, [this](const Urn& urn) { return targets_actual.Contains(urn); });
}

bool RunState::IsExcluded(const State& state) const {
  if (excludes.Contains(state.urn)) return true;
  if (!operation_.options.exclude_dependents) return false;
  return plan::DependsOnAny(state, [this](const Urn& urn) { return excludes_actual.Contains(urn); });
}

bool RunState::IsForcedReplace(const Urn& urn, const StatePtr& old_state) const {
  if (replaces.constrained() && replaces.Contains(urn)) return true;
  return old_state && old_state->taint;
}

Urn RunState::MakeUrn(const Urn& parent, const std::string& type, const std::string& name) const {
  std::string parent_type;
  if (!parent.empty() && parent.qualified_type() != kRootStackType) parent_type = parent.qualified_type();
  return Urn::Make(operation_.stack, operation_.project, parent_type, type, name);
}

Urn RunState::root_urn() const {
  return MakeUrn(Urn(), std::string(kRootStackType), operation_.project + "-" + operation_.stack);
}

}  // namespace kingpost::engine
