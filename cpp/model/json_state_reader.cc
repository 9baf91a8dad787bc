// SPDX-License-Identifier: Apache-2.0
// Resources out of state files.
#include <algorithm>
#include <array>

#include "model/json_state.h"

namespace kingpost {

namespace {

template <class T>
struct Field {
  std::string_view key;
  T State::*member;
};

constexpr Field<bool> kFlags[] = {
    {"custom", &State::custom},
    {"delete", &State::pending_delete},
    {"protect", &State::protect},
    {"taint", &State::taint},
    {"external", &State::external},
    {"pendingReplacement", &State::pending_replacement},
    {"retainOnDelete", &State::retain_on_delete},
    {"refreshBeforeUpdate", &State::refresh_before_update},
};

constexpr Field<std::string> kTexts[] = {
    {"id", &State::id},
    {"type", &State::type},
    {"provider", &State::provider},
    {"importID", &State::import_id},
    {"created", &State::created},
    {"modified", &State::modified},
    {"sourcePosition", &State::source_position},
    {"extensionRef", &State::extension_ref},
    {"snippetID", &State::snippet_id},
};

constexpr Field<Urn> kUrns[] = {
    {"urn", &State::urn},
    {"parent", &State::parent},
    {"deletedWith", &State::deleted_with},
    {"viewOf", &State::view_of},
};

constexpr Field<std::vector<std::string>> kTextLists[] = {
    {"initErrors", &State::init_errors},
    {"additionalSecretOutputs", &State::additional_secret_outputs},
    {"ignoreChanges", &State::ignore_changes},
    {"hideDiff", &State::hide_diffs},
    {"replaceOnChanges", &State::replace_on_changes},
};

constexpr Field<std::vector<Urn>> kUrnLists[] = {
    {"dependencies", &State::dependencies},
    {"aliases", &State::aliases},
    {"replaceWith", &State::replace_with},
};

// What versions 1 and 2 had; the last two came with version 2.
constexpr std::array<std::string_view, 13> kOldKeys = {"urn",        "custom",   "delete",  "id",      "type",
                                                       "inputs",     "outputs",  "parent",  "protect", "dependencies",
                                                       "initErrors", "external", "provider"};

bool HadKey(int version, std::string_view key) {
  if (version >= 3) return true;
  const auto end = kOldKeys.end() - (version == 1 ? 2 : 0);
  return std::find(kOldKeys.begin(), end, key) != end;
}

void ReadField(JsonReader& reader, JsonValueReader&, bool* out) { reader.ReadBool(out); }
void ReadField(JsonReader& reader, JsonValueReader&, std::string* out) { reader.ReadString(out); }
void ReadField(JsonReader&, JsonValueReader& values, Urn* out) { *out = values.ReadUrn(); }

template <class T>
void ReadField(JsonReader& reader, JsonValueReader& values, std::vector<T>* out) {
  out->clear();
  for (reader.BeginArray(); reader.NextElement();) {
    out->emplace_back();
    ReadField(reader, values, &out->back());
  }
}

template <class T, size_t n>
bool ReadFrom(const Field<T> (&fields)[n], std::string_view key, JsonReader& reader, JsonValueReader& values,
              State* state) {
  for (const Field<T>& field : fields) {
    if (field.key != key) continue;
    ReadField(reader, values, &(state->*field.member));
    return true;
  }
  return false;
}

void ReadDependencies(JsonReader& reader, JsonValueReader& values, PropertyDependencies* out) {
  std::string_view key;
  for (reader.BeginObject(); reader.NextKey(&key);) {
    std::vector<Urn>& urns = (*out)[std::string(key)];
    ReadField(reader, values, &urns);
  }
}

void ReadStackTrace(JsonReader& reader, std::vector<std::string>* out) {
  std::string_view key;
  for (reader.BeginArray(); reader.NextElement();) {
    out->emplace_back();
    for (reader.BeginObject(); reader.NextKey(&key);) {
      if (key == "sourcePosition") {
        reader.ReadString(&out->back());
      } else {
        reader.Skip();
      }
    }
  }
}

void ReadHooks(JsonReader& reader, JsonValueReader& values, ResourceHooks* out) {
  std::string_view key;
  for (reader.BeginObject(); reader.NextKey(&key);) {
    int kind = 0;
    while (kind < kHookKinds && key != HookKindName(static_cast<HookKind>(kind))) ++kind;
    if (kind < kHookKinds) {
      ReadField(reader, values, &out->of(static_cast<HookKind>(kind)));
    } else {
      reader.Skip();
    }
  }
}

void ReadKey(std::string_view key, JsonReader& reader, JsonValueReader& values, State* state) {
  if (ReadFrom(kUrns, key, reader, values, state)) {
    if (key == "urn") values.set_urn(state->urn);
    return;
  }
  if (ReadFrom(kFlags, key, reader, values, state) || ReadFrom(kTexts, key, reader, values, state) ||
      ReadFrom(kTextLists, key, reader, values, state) || ReadFrom(kUrnLists, key, reader, values, state)) {
    return;
  }
  if (key == "inputs") {
    state->inputs = values.ReadProperties();
  } else if (key == "outputs") {
    state->outputs = values.ReadProperties();
  } else if (key == "replacementTrigger") {
    state->replacement_trigger = values.ReadValue();
  } else if (key == "propertyDependencies") {
    ReadDependencies(reader, values, &state->property_dependencies);
  } else if (key == "customTimeouts") {
    ReadTimeouts(reader, &state->custom_timeouts);
  } else if (key == "stackTrace") {
    ReadStackTrace(reader, &state->stack_trace);
  } else if (key == "resourceHooks") {
    ReadHooks(reader, values, &state->hooks);
  } else {
    reader.Skip();
  }
}

// Before version 3 nobody knew which property depends on what, so each depends on everything.
void SpreadDependencies(State* state) {
  for (const auto& entry : state->inputs) state->property_dependencies[entry.first] = state->dependencies;
}

}  // namespace

void ReadTimeouts(JsonReader& reader, CustomTimeouts* out) {
  std::string_view key;
  for (reader.BeginObject(); reader.NextKey(&key);) {
    double* seconds = key == "create"   ? &out->create_s
                      : key == "update" ? &out->update_s
                      : key == "delete" ? &out->delete_s
                      : key == "read"   ? &out->read_s
                                        : nullptr;
    if (seconds) {
      reader.ReadNumber(seconds);
    } else {
      reader.Skip();
    }
  }
}

StatePtr ReadState(JsonReader* reader, JsonValueReader* values, int version, bool lenient) {
  auto state = std::make_shared<State>();
  values->set_urn(Urn());
  std::string_view key;
  for (reader->BeginObject(); reader->NextKey(&key);) {
    if (HadKey(version, key)) {
      ReadKey(key, *reader, *values, state.get());
    } else {
      reader->Skip();
    }
  }
  if (version < 3) SpreadDependencies(state.get());
  const std::string name = "resource '" + state->urn.str() + "'";
  if (!reader->ok()) {
    if (!state->urn.empty()) reader->Explain(name);
    return nullptr;
  }
  if (lenient) return state;
  if (state->urn.empty()) {
    reader->Fail("resource missing required 'urn' field");
  } else if (state->type.empty()) {
    reader->Fail(name + " missing required 'type' field");
  } else if (!state->custom && !state->id.empty()) {
    reader->Fail(name + " has 'custom' false but non-empty ID");
  }
  return reader->ok() ? state : nullptr;
}

}  // namespace kingpost
