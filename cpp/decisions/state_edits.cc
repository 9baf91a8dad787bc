// SPDX-License-Identifier: Apache-2.0
#include "decisions/state_edits.h"

#include <algorithm>
#include <unordered_set>

#include "model/dependency_graph.h"

namespace kingpost::decisions {

namespace {

Status RefuseProtected(const StatePtr& state, const ForgetOptions& options) {
  if (!state->protect) return Status();
  if (options.protected_too) {
    if (options.protected_ones) options.protected_ones->push_back(state->urn);
    return Status();
  }
  Status refused(Code::kFailedPrecondition,
                 state->urn.str() + " can't be safely deleted because it is protected; lift the protection first");
  return refused.With(ForgetRefusal{state, {}});
}

Status RefuseDependents(const StatePtr& state, std::vector<StatePtr> dependents) {
  std::string message = state->urn.str() + " can't be safely deleted because the following resources depend on it:";
  for (const StatePtr& dependent : dependents) message += "\n  " + dependent->urn.str();
  return Status(Code::kFailedPrecondition, message).With(ForgetRefusal{state, std::move(dependents)});
}

}  // namespace

Status Forget(const std::vector<StatePtr>& resources, const ForgetOptions& options, Snapshot* snapshot) {
  const DependencyGraph graph(snapshot->resources);
  std::unordered_set<const State*> doomed;
  for (const StatePtr& state : resources) doomed.insert(state.get());
  for (const StatePtr& state : resources) {
    KP_TRY(RefuseProtected(state, options));
    std::vector<StatePtr> dependents;
    for (const StatePtr& dependent : graph.DependingOn(state, true)) {
      if (doomed.count(dependent.get()) == 0) dependents.push_back(dependent);
    }
    if (!dependents.empty() && !options.dependents_too) return RefuseDependents(state, std::move(dependents));
    for (const StatePtr& dependent : dependents) {
      KP_TRY(RefuseProtected(dependent, options));
      doomed.insert(dependent.get());
    }
  }
  std::vector<StatePtr> left;
  for (const StatePtr& state : snapshot->resources) {
    if (doomed.count(state.get()) == 0) left.push_back(state);
  }
  snapshot->resources = std::move(left);
  return Status();
}

Status Rename(const StatePtr& resource, const std::string& name, Snapshot* snapshot) {
  if (resource->urn.name() == name) return Status();
  State next = *resource;
  next.urn = resource->urn.Rename(name);
  for (const StatePtr& other : snapshot->resources) {
    if (other->urn == next.urn) {
      return Status(Code::kAlreadyExists, "there is already a resource " + next.urn.str());
    }
  }
  next.aliases = {resource->urn};
  std::vector<StatePtr>& resources = snapshot->resources;
  const auto place = std::find(resources.begin(), resources.end(), resource) - resources.begin();
  resources = DropEmptyPropertyDependencies(std::move(resources));  // of all others, as the reference does
  resources[place] = std::make_shared<const State>(std::move(next));
  resources = NormalizeUrns(resources);
  return Status();
}

void Replace(const StatePtr& resource, State next, Snapshot* snapshot) {
  for (StatePtr& state : snapshot->resources) {
    if (state != resource) continue;
    state = std::make_shared<const State>(std::move(next));
    return;
  }
}

Status Repair(Snapshot* snapshot) {
  Result<std::vector<StatePtr>> sorted = TopologicalSort(snapshot->resources);
  if (!sorted.ok()) return sorted.status();
  // [A is recorded twice, and the parent of one of them is gone]: that one gets a name of its own.
  std::vector<PruneResult> pruned;
  snapshot->resources = DropEmptyPropertyDependencies(Prune(*sorted, &pruned));
  return VerifyIntegrity(*snapshot).Wrap("the state could not be repaired");
}

}  // namespace kingpost::decisions
