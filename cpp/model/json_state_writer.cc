// SPDX-License-Identifier: Apache-2.0
// Resources into state files: the keys in the order of row 7.4, empty ones left out.
#include <algorithm>

#include "model/json_state.h"

namespace kingpost {

namespace {

// In the order of their names.
constexpr HookKind kHooksByName[kHookKinds] = {
    HookKind::kAfterCreate,  HookKind::kAfterDelete,  HookKind::kAfterUpdate, HookKind::kBeforeCreate,
    HookKind::kBeforeDelete, HookKind::kBeforeUpdate, HookKind::kOnError};

}  // namespace

// Its values are appended in the writer's place.
void JsonStateWriter::Properties(const char* key, const PropertyMap& map) {
  if (map.empty()) return;
  json_.Key(key);
  json_.Value();
  values_.Append(map);
}

void JsonStateWriter::Dependencies(const PropertyDependencies& dependencies) {
  if (dependencies.empty()) return;
  json_.Key("propertyDependencies");
  json_.BeginObject();
  for (const auto& [key, urns] : dependencies) {
    json_.Key(key);
    json_.Texts(urns);
  }
  json_.EndObject();
}

void JsonStateWriter::Timeouts(const CustomTimeouts& timeouts) {
  if (timeouts.empty()) return;
  json_.Key("customTimeouts");
  json_.BeginObject();
  json_.NumberUnlessZero("create", timeouts.create_s);
  json_.NumberUnlessZero("update", timeouts.update_s);
  json_.NumberUnlessZero("delete", timeouts.delete_s);
  json_.NumberUnlessZero("read", timeouts.read_s);
  json_.EndObject();
}

void JsonStateWriter::StackTrace(const std::vector<std::string>& positions) {
  if (positions.empty()) return;
  json_.Key("stackTrace");
  json_.BeginArray();
  for (const std::string& position : positions) {
    json_.BeginObject();
    json_.TextUnlessEmpty("sourcePosition", position);
    json_.EndObject();
  }
  json_.EndArray();
}

void JsonStateWriter::Hooks(const ResourceHooks& hooks) {
  if (hooks.empty()) return;
  json_.Key("resourceHooks");
  json_.BeginObject();
  for (HookKind kind : kHooksByName) json_.TextsUnlessEmpty(HookKindName(kind), hooks.of(kind));
  json_.EndObject();
}

void JsonStateWriter::Append(const State& state) {
  values_.set_urn(&state.urn);
  json_.BeginObject();
  json_.Key("urn");
  json_.Text(state.urn.str());
  json_.Key("custom");
  json_.Bool(state.custom);
  json_.BoolIfTrue("delete", state.pending_delete);
  json_.TextUnlessEmpty("id", state.id);
  json_.Key("type");
  json_.Text(state.type);
  Properties("inputs", state.inputs);
  Properties("outputs", state.outputs);
  json_.TextUnlessEmpty("parent", state.parent.str());
  json_.BoolIfTrue("protect", state.protect);
  json_.BoolIfTrue("taint", state.taint);
  json_.BoolIfTrue("external", state.external);
  json_.TextsUnlessEmpty("dependencies", state.dependencies);
  json_.TextsUnlessEmpty("initErrors", state.init_errors);
  json_.TextUnlessEmpty("provider", state.provider);
  Dependencies(state.property_dependencies);
  json_.BoolIfTrue("pendingReplacement", state.pending_replacement);
  json_.TextsUnlessEmpty("additionalSecretOutputs", state.additional_secret_outputs);
  json_.TextsUnlessEmpty("aliases", state.aliases);
  Timeouts(state.custom_timeouts);
  json_.TextUnlessEmpty("importID", state.import_id);
  json_.BoolIfTrue("retainOnDelete", state.retain_on_delete);
  json_.TextUnlessEmpty("deletedWith", state.deleted_with.str());
  json_.TextsUnlessEmpty("replaceWith", state.replace_with);
  json_.TextUnlessEmpty("created", state.created);
  json_.TextUnlessEmpty("modified", state.modified);
  json_.TextUnlessEmpty("sourcePosition", state.source_position);
  StackTrace(state.stack_trace);
  json_.TextsUnlessEmpty("ignoreChanges", state.ignore_changes);
  json_.TextsUnlessEmpty("hideDiff", state.hide_diffs);
  json_.TextsUnlessEmpty("replaceOnChanges", state.replace_on_changes);
  if (!state.replacement_trigger.is_null()) {
    json_.Key("replacementTrigger");
    json_.Value();
    values_.Append(state.replacement_trigger);
  }
  json_.BoolIfTrue("refreshBeforeUpdate", state.refresh_before_update);
  json_.TextUnlessEmpty("viewOf", state.view_of.str());
  Hooks(state.hooks);
  json_.TextUnlessEmpty("extensionRef", state.extension_ref);
  json_.TextUnlessEmpty("snippetID", state.snippet_id);
  json_.EndObject();
  values_.set_urn(nullptr);
}

bool NeedsByteString(const State& state) {
  const auto broken = [](const Property& entry) { return NeedsByteString(entry.second); };
  return std::any_of(state.inputs.begin(), state.inputs.end(), broken) ||
         std::any_of(state.outputs.begin(), state.outputs.end(), broken) || NeedsByteString(state.replacement_trigger);
}

}  // namespace kingpost
