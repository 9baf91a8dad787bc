// SPDX-License-Identifier: Apache-2.0
#include "decisions/migrated_states.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/deployment_json.h"
#include "model/json_state.h"
#include "model/resource_fields.h"

namespace kingpost::decisions {

namespace {

constexpr int kVersion = 3;

EncodeOptions InPlaintext() {
  EncodeOptions options;
  options.show_secrets = true;
  return options;
}

void RefuseUnknown(std::string_view key, JsonReader* reader) {
  reader->Fail(Status(Code::kInvalidArgument, "json: unknown field " + Quote(key)));
}

bool IsField(std::string_view key) {
  return AnyResourceField([key](const auto& field) {
    return std::decay_t<decltype(field)>::kInState && !field.record.empty() && field.record == key;
  });
}

void CheckObject(JsonReader* reader, std::initializer_list<std::string_view> known) {
  std::string_view key;
  for (reader->BeginObject(); reader->NextKey(&key);) {
    if (std::find(known.begin(), known.end(), key) == known.end()) return RefuseUnknown(key, reader);
    reader->Skip();
  }
}

// Every field of a resource, and of the objects of known form that it holds. Properties are free.
Status CheckFields(std::string_view resource) {
  JsonReader reader(resource);
  std::string_view key;
  for (reader.BeginObject(); reader.NextKey(&key);) {
    if (!IsField(key)) {
      RefuseUnknown(key, &reader);
    } else if (key == "customTimeouts") {
      CheckObject(&reader, {"create", "update", "delete", "read"});
    } else if (key == "stackTrace") {
      for (reader.BeginArray(); reader.NextElement();) CheckObject(&reader, {"sourcePosition"});
    } else {
      reader.Skip();
    }
  }
  return reader.status();
}

bool HoldsEncrypted(const PropertyMap& properties) {
  bool encrypted = false;
  (void)Rewrite(properties, [&encrypted](const Value& value) {
    encrypted = encrypted || (value.is_secret() && value.as_secret().sealed);
    return value;
  });
  return encrypted;
}

Result<StatePtr> ReadOne(std::string_view text) {
  KP_TRY(CheckFields(text));
  const DecodeOptions options;
  JsonReader reader(text);
  JsonValueReader values(&reader, options);
  StatePtr state = ReadState(&reader, &values, kVersion, /*lenient=*/true);
  if (!reader.ok()) return reader.status();
  if (HoldsEncrypted(state->inputs) || HoldsEncrypted(state->outputs) ||
      HoldsEncrypted({{"", state->replacement_trigger}})) {
    return Status(Code::kInvalidArgument, "resource " + state->urn.str() +
                                              " holds a secret with a ciphertext; a state migration returns secrets as "
                                              "it gets them, with their plaintext");
  }
  return state;
}

}  // namespace

Result<std::string> EncodeForCallback(const std::vector<StatePtr>& states) {
  std::string json = "[";
  for (const StatePtr& state : states) {
    const Result<std::string> text = EncodeState(*state, InPlaintext());
    if (!text.ok()) return text.status().Wrap("serializing state of " + state->urn.str());
    if (json.size() > 1) json += ',';
    json += *text;
  }
  return json + "]";
}

Result<std::vector<StatePtr>> DecodeFromCallback(std::string_view json) {
  std::vector<StatePtr> states;
  JsonReader reader(json);
  for (reader.BeginArray(); reader.NextElement();) {
    const std::string_view text = reader.SkipRaw();
    if (!reader.ok()) break;
    Result<StatePtr> state = ReadOne(text);
    if (!state.ok()) return state.status();
    states.push_back(*std::move(state));
  }
  reader.Finish();
  if (!reader.ok()) return reader.status();
  return states;
}

bool AreEquivalent(const State& a, const State& b) {
  const Result<std::string> text_a = EncodeState(a, InPlaintext());
  const Result<std::string> text_b = EncodeState(b, InPlaintext());
  return text_a.ok() && text_b.ok() && *text_a == *text_b;
}

bool AreEquivalent(const std::vector<StatePtr>& a, const std::vector<StatePtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const StatePtr& one, const StatePtr& other) { return AreEquivalent(*one, *other); });
}

}  // namespace kingpost::decisions
