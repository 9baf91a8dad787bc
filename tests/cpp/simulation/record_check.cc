// SPDX-License-Identifier: Apache-2.0
#include "simulation/record_check.h"

#include <algorithm>

#include "scenarios/state_json.h"

namespace kingpost::simulation {

namespace {

// Things are called after the resource they were made for: "a-1", "a-2".
std::string NameOfThing(const std::string& id) { return id.substr(0, id.rfind('-')); }

std::string FindLost(const Snapshot& record, const std::map<std::string, scenarios::Thing>& cloud,
                     const Knowledge& knowledge) {
  for (const std::string& id : knowledge.acknowledged) {
    if (!cloud.count(id)) continue;  // replaced or deleted since
    const bool recorded = std::any_of(record.resources.begin(), record.resources.end(),
                                      [&](const StatePtr& state) { return state->id == id; });
    if (!recorded) return "lost: the program was told of " + id + ", and the record does not know it";
  }
  return "";
}

std::string FindOrphans(const Snapshot& record, const std::map<std::string, scenarios::Thing>& cloud) {
  std::set<std::string> recorded;
  for (const StatePtr& state : record.resources) recorded.insert(state->id);
  std::map<std::string, int> named;
  for (const PendingOperation& pending : record.pending_operations) {
    if (pending.type == OperationType::kCreating) ++named[std::string(pending.resource->urn.name())];
    if (!pending.resource->id.empty()) recorded.insert(pending.resource->id);
  }
  for (const auto& [id, thing] : cloud) {
    if (!recorded.count(id) && --named[NameOfThing(id)] < 0) return "orphan: " + id + " exists, and nothing says so";
  }
  return "";
}

std::string FindGhosts(const Snapshot& record, const std::map<std::string, scenarios::Thing>& cloud,
                       const Knowledge& knowledge) {
  // A resource that was renamed meanwhile is known by its ID.
  std::set<std::string> pending;
  for (const PendingOperation& operation : record.pending_operations) {
    pending.insert(operation.resource->urn.str());
    pending.insert(operation.resource->id);
  }
  for (const StatePtr& state : record.resources) {
    if (!state->custom || state->is_provider() || state->pending_replacement || state->external) continue;
    if (cloud.count(state->id) || pending.count(state->urn.str()) || pending.count(state->id)) continue;
    if (knowledge.doubtful.count(NameOfThing(state->id))) continue;
    return "ghost: " + state->urn.str() + " is recorded as " + state->id + ", which does not exist";
  }
  return "";
}

}  // namespace

std::string LookAtRecord(const Snapshot& record, const std::map<std::string, scenarios::Thing>& cloud,
                         const Knowledge& knowledge) {
  std::string wrong = FindLost(record, cloud, knowledge);
  if (wrong.empty()) wrong = FindOrphans(record, cloud);
  if (wrong.empty()) wrong = FindGhosts(record, cloud, knowledge);
  return wrong;
}

std::string Fingerprint(const Snapshot& record, const std::map<std::string, scenarios::Thing>& cloud) {
  const scenarios::Names names;
  std::string text;
  for (const StatePtr& state : record.resources) {
    Json json = scenarios::StateJson(names, *state);
    json.erase("created");
    json.erase("modified");
    text += state->urn.str() + (state->pending_delete ? " deleted " : " ") + json.dump() + "\n";
  }
  for (const PendingOperation& pending : record.pending_operations) {
    text += std::string(OperationTypeName(pending.type)) + " " + pending.resource->urn.str() + "\n";
  }
  for (const auto& [id, thing] : cloud) text += id + names.ToJson(thing.inputs).dump() + "\n";
  return text;
}

}  // namespace kingpost::simulation
