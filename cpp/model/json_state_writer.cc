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

void JsonStateWriter::Key(const char* key) {
  if (out_.back() != '{') out_ += ',';
  out_.append("\"").append(key).append("\":");
}

void JsonStateWriter::Flag(const char* key, bool value) {
  if (!value) return;
  Key(key);
  out_ += "true";
}

void JsonStateWriter::Text(const char* key, const std::string& text) {
  if (text.empty()) return;
  Key(key);
  AppendJsonString(text, &out_);
}

void JsonStateWriter::Texts(const char* key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  Key(key);
  char separator = '[';
  for (const std::string& text : texts) {
    out_ += separator;
    separator = ',';
    AppendJsonString(text, &out_);
  }
  out_ += ']';
}

void JsonStateWriter::Urns(const char* key, const std::vector<Urn>& urns) {
  if (urns.empty()) return;
  Key(key);
  char separator = '[';
  for (const Urn& urn : urns) {
    out_ += separator;
    separator = ',';
    AppendJsonString(urn.str(), &out_);
  }
  out_ += ']';
}

void JsonStateWriter::Properties(const char* key, const PropertyMap& map) {
  if (map.empty()) return;
  Key(key);
  values_.Append(map);
}

void JsonStateWriter::AppendDependencies(const PropertyDependencies& dependencies) {
  if (dependencies.empty()) return;
  Key("propertyDependencies");
  char separator = '{';
  for (const auto& [key, urns] : dependencies) {
    out_ += separator;
    separator = ',';
    AppendJsonString(key, &out_);
    out_ += ":[";
    for (const Urn& urn : urns) {
      if (out_.back() != '[') out_ += ',';
      AppendJsonString(urn.str(), &out_);
    }
    out_ += ']';
  }
  out_ += '}';
}

void JsonStateWriter::AppendTimeouts(const CustomTimeouts& timeouts) {
  if (timeouts.empty()) return;
  Key("customTimeouts");
  out_ += '{';
  const auto append = [this](const char* key, double seconds) {
    if (seconds == 0) return;
    Key(key);
    AppendJsonNumber(seconds, &out_);
  };
  append("create", timeouts.create_s);
  append("update", timeouts.update_s);
  append("delete", timeouts.delete_s);
  append("read", timeouts.read_s);
  out_ += '}';
}

void JsonStateWriter::AppendStackTrace(const std::vector<std::string>& positions) {
  if (positions.empty()) return;
  Key("stackTrace");
  char separator = '[';
  for (const std::string& position : positions) {
    out_ += separator;
    separator = ',';
    out_ += '{';
    Text("sourcePosition", position);
    out_ += '}';
  }
  out_ += ']';
}

void JsonStateWriter::AppendHooks(const ResourceHooks& hooks) {
  if (hooks.empty()) return;
  Key("resourceHooks");
  out_ += '{';
  for (HookKind kind : kHooksByName) Texts(HookKindName(kind), hooks.of(kind));
  out_ += '}';
}

void JsonStateWriter::Append(const State& state) {
  values_.set_urn(&state.urn);
  out_ += '{';
  Key("urn");
  AppendJsonString(state.urn.str(), &out_);
  Key("custom");
  out_ += state.custom ? "true" : "false";
  Flag("delete", state.pending_delete);
  Text("id", state.id);
  Key("type");
  AppendJsonString(state.type, &out_);
  Properties("inputs", state.inputs);
  Properties("outputs", state.outputs);
  UrnText("parent", state.parent);
  Flag("protect", state.protect);
  Flag("taint", state.taint);
  Flag("external", state.external);
  Urns("dependencies", state.dependencies);
  Texts("initErrors", state.init_errors);
  Text("provider", state.provider);
  AppendDependencies(state.property_dependencies);
  Flag("pendingReplacement", state.pending_replacement);
  Texts("additionalSecretOutputs", state.additional_secret_outputs);
  Urns("aliases", state.aliases);
  AppendTimeouts(state.custom_timeouts);
  Text("importID", state.import_id);
  Flag("retainOnDelete", state.retain_on_delete);
  UrnText("deletedWith", state.deleted_with);
  Urns("replaceWith", state.replace_with);
  Text("created", state.created);
  Text("modified", state.modified);
  Text("sourcePosition", state.source_position);
  AppendStackTrace(state.stack_trace);
  Texts("ignoreChanges", state.ignore_changes);
  Texts("hideDiff", state.hide_diffs);
  Texts("replaceOnChanges", state.replace_on_changes);
  if (!state.replacement_trigger.is_null()) {
    Key("replacementTrigger");
    values_.Append(state.replacement_trigger);
  }
  Flag("refreshBeforeUpdate", state.refresh_before_update);
  UrnText("viewOf", state.view_of);
  AppendHooks(state.hooks);
  Text("extensionRef", state.extension_ref);
  Text("snippetID", state.snippet_id);
  out_ += '}';
  values_.set_urn(nullptr);
}

bool NeedsByteString(const State& state) {
  const auto broken = [](const Property& entry) { return NeedsByteString(entry.second); };
  return std::any_of(state.inputs.begin(), state.inputs.end(), broken) ||
         std::any_of(state.outputs.begin(), state.outputs.end(), broken) || NeedsByteString(state.replacement_trigger);
}

}  // namespace kingpost
