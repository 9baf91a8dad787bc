// SPDX-License-Identifier: Apache-2.0
// Resources into state files: the keys in the order of row 7.4, empty ones left out.
#include <algorithm>

#include "model/json_state.h"
#include "model/resource_fields.h"

namespace kingpost {

namespace {

// In the order of their names.
constexpr HookKind kHooksByName[kHookKinds] = {
    HookKind::kAfterCreate,  HookKind::kAfterDelete,  HookKind::kAfterUpdate, HookKind::kBeforeCreate,
    HookKind::kBeforeDelete, HookKind::kBeforeUpdate, HookKind::kOnError};

}  // namespace

void JsonStateWriter::Field(std::string_view key, bool flag, bool even_empty) {
  if (!flag && !even_empty) return;
  json_.Key(key);
  json_.Bool(flag);
}

void JsonStateWriter::Field(std::string_view key, const std::string& text, bool even_empty) {
  if (text.empty() && !even_empty) return;
  json_.Key(key);
  json_.Text(text);
}

void JsonStateWriter::Field(std::string_view key, const Urn& urn, bool even_empty) {
  Field(key, urn.str(), even_empty);
}

void JsonStateWriter::Field(std::string_view key, const std::vector<std::string>& texts, bool) {
  json_.TextsUnlessEmpty(key, texts);
}

void JsonStateWriter::Field(std::string_view key, const std::vector<Urn>& urns, bool) {
  json_.TextsUnlessEmpty(key, urns);
}

// Its values are appended in the writer's place.
void JsonStateWriter::Field(std::string_view key, const PropertyMap& map, bool) {
  if (map.empty()) return;
  json_.Key(key);
  json_.Value();
  values_.Append(map);
}

void JsonStateWriter::Field(std::string_view key, const Value& value, bool) {
  if (value.is_null()) return;
  json_.Key(key);
  json_.Value();
  values_.Append(value);
}

void JsonStateWriter::Field(std::string_view key, const PropertyDependencies& dependencies, bool) {
  if (dependencies.empty()) return;
  json_.Key(key);
  json_.BeginObject();
  for (const auto& [property, urns] : dependencies) {
    json_.Key(property);
    json_.Texts(urns);
  }
  json_.EndObject();
}

void JsonStateWriter::Field(std::string_view key, const CustomTimeouts& timeouts, bool) {
  if (timeouts.empty()) return;
  json_.Key(key);
  json_.BeginObject();
  json_.NumberUnlessZero("create", timeouts.create_s);
  json_.NumberUnlessZero("update", timeouts.update_s);
  json_.NumberUnlessZero("delete", timeouts.delete_s);
  json_.NumberUnlessZero("read", timeouts.read_s);
  json_.EndObject();
}

void JsonStateWriter::Field(std::string_view key, const ResourceHooks& hooks, bool) {
  if (hooks.empty()) return;
  json_.Key(key);
  json_.BeginObject();
  for (HookKind kind : kHooksByName) json_.TextsUnlessEmpty(HookKindName(kind), hooks.of(kind));
  json_.EndObject();
}

void JsonStateWriter::Frames(std::string_view key, const std::vector<std::string>& positions) {
  if (positions.empty()) return;
  json_.Key(key);
  json_.BeginArray();
  for (const std::string& position : positions) {
    json_.BeginObject();
    json_.TextUnlessEmpty("sourcePosition", position);
    json_.EndObject();
  }
  json_.EndArray();
}

void JsonStateWriter::Append(const State& state) {
  values_.set_urn(&state.urn);
  json_.BeginObject();
  ForEachRecorded(state, [this](const auto& field, const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const std::vector<std::string>&>) {
      if (field.use.holds_frames) return Frames(field.record, value);
    }
    Field(field.record, value, field.use.in_every_record);
  });
  json_.EndObject();
  values_.set_urn(nullptr);
}

bool NeedsByteString(const State& state) {
  const auto broken = [](const Property& entry) { return NeedsByteString(entry.second); };
  return std::any_of(state.inputs.begin(), state.inputs.end(), broken) ||
         std::any_of(state.outputs.begin(), state.outputs.end(), broken) || NeedsByteString(state.replacement_trigger);
}

}  // namespace kingpost
