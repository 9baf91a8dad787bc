// SPDX-License-Identifier: Apache-2.0
#include "engine/refresh_phase.h"

#include <map>

namespace kingpost::engine {

// A provider's resources do not count as its dependents here: what a refresh reads does not depend on its targets.
bool RefreshPhase::Wanted(const State& state, plan::UrnPatterns* targets, plan::UrnPatterns* excludes) const {
  if (excludes->constrained() && !targets->constrained()) {
    if (excludes->Contains(state.urn)) return false;
    const bool follows = operation_.options.exclude_dependents &&
                         plan::RefersToAny(state, [&](const Urn& urn) { return excludes->Contains(urn); });
    if (follows) excludes->Add(state.urn);
    return !follows;
  }
  if (targets->Contains(state.urn)) return true;
  const bool follows = operation_.options.target_dependents &&
                       plan::RefersToAny(state, [&](const Urn& urn) { return targets->Contains(urn); });
  if (follows) targets->Add(state.urn);
  return follows;
}

Task<Status> RefreshPhase::Plan(bool flagged_only, std::vector<plan::StepPtr>* steps) {
  plan::UrnPatterns targets = state_.targets, excludes = state_.excludes;
  for (const StatePtr& recorded : state_.base()) {
    if (recorded->is_view() || (flagged_only && !recorded->refresh_before_update)) continue;
    if (!Wanted(*recorded, &targets, &excludes)) continue;
    KP_CO_TRY((co_await registrar_.EnsureProvider(recorded))
                  .Wrap("could not load provider for resource " + recorded->urn.str()));
    steps->push_back(plan::Refresh(recorded));
  }
  co_return Status();
}

Task<void> RefreshPhase::RunOne(plan::StepPtr step) {
  plan::Chain chain = {step};
  co_await executor_.Run(std::move(chain));
}

Task<void> RefreshPhase::RunAll(const std::vector<plan::StepPtr>* steps) {
  Group group(loop_);
  for (const plan::StepPtr& step : *steps) group.Spawn(RunOne(step));
  co_await group.Wait();
}

// The base after the refresh: what is gone is dropped, and with it every reference to it.
void RefreshPhase::Rebuild(const std::vector<plan::StepPtr>& steps) {
  std::map<const State*, plan::StepPtr> step_of;
  for (const plan::StepPtr& step : steps) step_of[step->old_state.get()] = step;
  for (const auto& [urn, step] : views_.refreshes()) {
    if (step->old_state) step_of[step->old_state.get()] = step;
  }
  std::vector<StatePtr> resources;
  std::map<Urn, StatePtr> removed;
  for (const StatePtr& recorded : state_.base()) {
    auto step = step_of.find(recorded.get());
    if (step == step_of.end()) {
      resources.push_back(recorded);
    } else if (step->second->new_state) {
      resources.push_back(step->second->new_state);
    } else {
      removed[recorded->urn] = recorded;
    }
  }
  state_.SetBase(DropEmptyPropertyDependencies(DropDanglingReferences(resources, removed)));
}

Task<Status> RefreshPhase::BeforeProgram(bool flagged_only) {
  if (state_.base().empty()) co_return Status();
  std::vector<plan::StepPtr> steps;
  KP_CO_TRY(co_await Plan(flagged_only, &steps));
  executor_.set_ignore_errors(true);
  co_await RunAll(&steps);
  executor_.set_ignore_errors(false);
  Rebuild(steps);
  // What it read is the record that the rest of the run begins with. Pulumi counts it as results of the run, so that
  // stack policies see what is then deleted.
  if (operation_.options.kind != OperationKind::kRefresh) state_.ForgetNews();
  KP_CO_TRY(co_await recording_.RebuildBase(state_.base()));
  if (executor_.errored()) {
    co_return Status::Bail("step executor errored: " + executor_.first_error().message());
  }
  co_return Status();
}

Task<Status> RefreshPhase::AfterProgram() {
  plan::UrnPatterns targets = state_.targets, excludes = state_.excludes;
  std::vector<plan::StepPtr> steps;
  for (const StatePtr& recorded : state_.base()) {
    if (recorded->is_view() || state_.IsOperatedOn(recorded->urn)) continue;
    if (!Wanted(*recorded, &targets, &excludes)) continue;
    KP_CO_TRY((co_await registrar_.EnsureProvider(recorded))
                  .Wrap("could not load provider for resource " + recorded->urn.str()));
    state_.Mark(recorded->urn, kRefreshed);
    steps.push_back(plan::Refresh(recorded));
  }
  co_await RunAll(&steps);
  co_return Status();
}

}  // namespace kingpost::engine
