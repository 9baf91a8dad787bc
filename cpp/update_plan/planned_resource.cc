// SPDX-License-Identifier: Apache-2.0
// The part of a goal that a plan keeps.
#include "update_plan/planned_resource.h"

#include <algorithm>

namespace kingpost::update_plan {

PlannedDiff DiffForPlan(const PropertyMap& old_map, const PropertyMap& new_map) {
  const ObjectDiff diff = DiffObjects(old_map, new_map, /*internal_keys=*/true);
  PlannedDiff planned;
  for (const auto& [key, value] : diff.adds) {
    if (!IsProviderMetadataKey(key)) planned.adds.Set(key, value);
  }
  for (const auto& [key, update] : diff.updates) {
    if (!IsProviderMetadataKey(key)) planned.updates.Set(key, update.new_value);
  }
  for (const auto& [key, value] : diff.deletes) {
    if (!IsProviderMetadataKey(key)) planned.deletes.insert(key);
  }
  // A value that only becomes a secret, or ceases to be one, is no difference to providers; an update is held to it.
  for (const auto& [key, value] : new_map) {
    if (IsProviderMetadataKey(key)) continue;
    const Value* before = old_map.Find(key);
    const bool differs = before && !DeepEqual(*before, value) && !planned.adds.Has(key);
    if (differs) planned.updates.Set(key, value);
  }
  return planned;
}

PlannedGoal GoalForPlan(const Goal& goal, PlannedDiff input_diff) {
  PlannedGoal planned;
  planned.type = goal.type;
  planned.name = goal.name;
  planned.custom = goal.custom;
  planned.input_diff = std::move(input_diff);
  planned.parent = goal.parent;
  planned.protect = goal.protect.value_or(false);
  planned.dependencies = goal.dependencies;
  planned.provider = goal.provider;
  planned.property_dependencies = goal.property_dependencies;
  planned.delete_before_replace = goal.delete_before_replace;
  planned.ignore_changes = goal.ignore_changes;
  planned.additional_secret_outputs = goal.additional_secret_outputs;
  planned.aliases = goal.aliases;
  planned.import_id = goal.import_id;
  planned.custom_timeouts = goal.custom_timeouts;
  return planned;
}

PlannedGoal UnchangedGoal(const State& recorded) {
  PlannedGoal planned;
  planned.type = recorded.type;
  planned.name = recorded.urn.name();
  planned.custom = recorded.custom;
  planned.parent = recorded.parent;
  planned.protect = recorded.protect;
  planned.dependencies = recorded.dependencies;
  planned.provider = recorded.provider;
  planned.property_dependencies = recorded.property_dependencies;
  planned.additional_secret_outputs = recorded.additional_secret_outputs;
  for (const Urn& urn : recorded.aliases) {
    planned.aliases.emplace_back();
    planned.aliases.back().urn = urn;
  }
  planned.custom_timeouts = recorded.custom_timeouts;
  return planned;
}

bool IsAllowed(StepOp op, StepOp planned) {
  switch (planned) {
    case StepOp::kSame:
    case StepOp::kDelete:
    case StepOp::kRead:
    case StepOp::kReadReplacement:
    case StepOp::kRefresh:
    case StepOp::kDiscard:
    case StepOp::kDiscardReplaced:
    case StepOp::kRemovePendingReplace:
    case StepOp::kImport:
    case StepOp::kImportReplacement:
      return op == planned;
    case StepOp::kCreate:
    case StepOp::kUpdate:
      return op == planned || op == StepOp::kSame;
    case StepOp::kReplace:
    case StepOp::kCreateReplacement:
    case StepOp::kDeleteReplaced:
      return op == planned || op == StepOp::kSame || op == StepOp::kUpdate;
    case StepOp::kDiff:
    case StepOp::kExtendParameterize:
      return false;  // never planned
  }
  return false;
}

}  // namespace kingpost::update_plan
