// SPDX-License-Identifier: Apache-2.0
#include "scenarios/state_json.h"

namespace kingpost::scenarios {

namespace {

Json Labels(const Names& names, const std::vector<Urn>& urns) {
  Json json = Json::array();
  for (const Urn& urn : urns) json.push_back(names.Label(urn));
  return json;
}

void PutFlag(Json* json, const char* key, bool flag) {
  if (flag) (*json)[key] = true;
}
template <class T>
void PutFull(Json* json, const char* key, const T& value) {
  if (!value.empty()) (*json)[key] = value;
}

Json HooksJson(const ResourceHooks& hooks) {
  Json json = Json::object();
  for (int i = 0; i < kHookKinds; ++i) {
    const auto& names = hooks.of(static_cast<HookKind>(i));
    if (!names.empty()) json[HookKindName(static_cast<HookKind>(i))] = names;
  }
  return json;
}

Json TimeoutsJson(const CustomTimeouts& timeouts) {
  Json json = Json::object();
  if (timeouts.create_s != 0) json["create"] = timeouts.create_s;
  if (timeouts.update_s != 0) json["update"] = timeouts.update_s;
  if (timeouts.delete_s != 0) json["delete"] = timeouts.delete_s;
  if (timeouts.read_s != 0) json["read"] = timeouts.read_s;
  return json;
}

}  // namespace

Json StateJson(const Names& names, const State& state) {
  // The random IDs of providers would say nothing.
  Json json = {{"type", state.type}, {"urn", state.urn.str()}};
  if (!state.is_provider()) PutFull(&json, "id", state.id);
  PutFlag(&json, "custom", state.custom);
  PutFlag(&json, "delete", state.pending_delete);
  json["inputs"] = names.ToJson(state.inputs);
  json["outputs"] = names.ToJson(state.outputs);
  PutFull(&json, "parent", names.Label(state.parent));
  PutFlag(&json, "protect", state.protect);
  PutFlag(&json, "taint", state.taint);
  PutFlag(&json, "external", state.external);
  PutFull(&json, "dependencies", Labels(names, state.dependencies));
  PutFull(&json, "initErrors", state.init_errors);
  PutFull(&json, "provider", names.Shorten(state.provider));
  for (const auto& [key, urns] : state.property_dependencies) {
    json["propertyDependencies"][key] = Labels(names, urns);
  }
  PutFlag(&json, "pendingReplacement", state.pending_replacement);
  PutFull(&json, "additionalSecretOutputs", state.additional_secret_outputs);
  PutFull(&json, "aliases", Labels(names, state.aliases));
  PutFull(&json, "customTimeouts", TimeoutsJson(state.custom_timeouts));
  PutFull(&json, "importID", state.import_id);
  PutFlag(&json, "retainOnDelete", state.retain_on_delete);
  PutFull(&json, "deletedWith", names.Label(state.deleted_with));
  PutFull(&json, "replaceWith", Labels(names, state.replace_with));
  PutFull(&json, "created", state.created);
  PutFull(&json, "modified", state.modified);
  PutFull(&json, "sourcePosition", state.source_position);
  PutFull(&json, "ignoreChanges", state.ignore_changes);
  PutFull(&json, "hideDiff", state.hide_diffs);
  PutFull(&json, "replaceOnChanges", state.replace_on_changes);
  if (!state.replacement_trigger.is_null()) json["replacementTrigger"] = names.ToJson(state.replacement_trigger);
  PutFlag(&json, "refreshBeforeUpdate", state.refresh_before_update);
  PutFull(&json, "viewOf", names.Label(state.view_of));
  PutFull(&json, "resourceHooks", HooksJson(state.hooks));
  PutFull(&json, "extensionRef", state.extension_ref);
  PutFull(&json, "snippetID", state.snippet_id);
  return json;
}

Json ResourcesJson(const Names& names, const Snapshot& snapshot) {
  Json resources = Json::object();
  for (const StatePtr& state : snapshot.resources) {
    std::string label = names.Label(state->urn);
    if (IsDefaultProviderUrn(state->urn)) label += " of " + std::string(ProviderPackage(state->type));
    if (state->pending_delete) label += " deleted";
    while (resources.contains(label)) label += "'";
    resources[label] = StateJson(names, *state);
  }
  return resources;
}

Json PlanJson(const Names& names, const std::string& plan) {
  Json resources = Json::object();
  const Json document = Json::parse(plan, nullptr, /*allow_exceptions=*/false);
  for (const auto& [urn, planned] : Mapping(document, "resourcePlans").items()) {
    if (IsDefaultProviderUrn(Urn(urn))) continue;
    Json fields = Mapping(planned, "goal");
    for (const char* key : {"steps", "state", "seed"}) {
      if (planned.contains(key)) fields[key] = planned[key];
    }
    resources[names.Label(Urn(urn))] = std::move(fields);
  }
  return resources;
}

}  // namespace kingpost::scenarios
