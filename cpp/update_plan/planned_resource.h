// SPDX-License-Identifier: Apache-2.0
// The plan of one resource, how an update is held to it, and its JSON (row 3.42). Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kingpost/event.h"
#include "model/deployment_json.h"
#include "model/resource.h"

namespace kingpost::update_plan {

// A difference of two property maps as far as a plan keeps it: without what was there before.
struct PlannedDiff {
  PropertyMap adds, updates;
  std::set<std::string> deletes;
};
PlannedDiff DiffForPlan(const PropertyMap& old_map, const PropertyMap& new_map);

// The part of a goal that an update must not change.
struct PlannedGoal {
  std::string type, name;
  bool custom = false;
  PlannedDiff input_diff;
  PlannedDiff output_diff;  // only if outputs were registered
  Urn parent;
  bool protect = false;
  std::vector<Urn> dependencies;
  std::string provider;
  PropertyDependencies property_dependencies;
  std::optional<bool> delete_before_replace;
  std::vector<std::string> ignore_changes;
  std::vector<std::string> additional_secret_outputs;
  std::vector<Alias> aliases;
  std::string import_id;
  CustomTimeouts custom_timeouts;
};
PlannedGoal GoalForPlan(const Goal& goal, PlannedDiff input_diff);
// The goal of a resource that no plan mentions: to stay as it is.
PlannedGoal UnchangedGoal(const State& recorded);

struct PlannedResource {
  std::optional<PlannedGoal> goal;     // none: the resource is to be deleted
  std::vector<StepOp> ops;             // in order
  std::optional<PropertyMap> outputs;  // for people to read; constrains nothing
  std::string seed;                    // bytes
};
using PlannedResources = std::map<Urn, PlannedResource>;

// "properties changed: ++a[{1}!={2}], =-b": for each property what was planned and what happened (+ add, ~ update,
// - delete, = neither), its name, and the values as far as there are any. Unknown values in the plan match anything.
// What a provider notes among the properties is neither planned nor compared: it may be another in each run.
Status CheckDiff(const PropertyMap& old_map, const PropertyMap& new_map, const PlannedDiff& planned,
                 bool show_secrets = false);
bool IsProviderMetadataKey(const std::string& key);  // "__defaults", "_version"
// The first difference, without the name of the resource.
Status CheckGoal(const PlannedGoal& planned, const PropertyMap& old_inputs, const PropertyMap& new_inputs,
                 const Goal& goal, bool show_secrets = false);
// An update may do less than was planned: nothing, or an update in place of a replacement.
bool IsAllowed(StepOp op, StepOp planned);

struct PlanDocument {
  std::string time;                           // RFC 3339 with nanoseconds
  std::map<std::string, std::string> config;  // "project:key" -> plain text
  std::set<std::string> config_secret_keys;
  PlannedResources resources;
};
// Indented with four spaces, as the reference writes its plan files; ends with a newline.
Result<std::string> EncodePlan(const PlanDocument& document, const EncodeOptions& options);
// Reads resources alone: nothing else of a plan constrains an update.
Result<PlannedResources> DecodePlan(std::string_view json, const DecodeOptions& options);

}  // namespace kingpost::update_plan
