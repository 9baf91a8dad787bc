// SPDX-License-Identifier: Apache-2.0
// Resources out of state files.
#include <algorithm>
#include <array>

#include "model/json_state.h"
#include "model/resource_fields.h"

namespace kingpost {

namespace {

// Fields of versions 1 and 2; the last two came with version 2.
constexpr std::array<std::string_view, 13> kOldKeys = {"urn",        "custom",   "delete",  "id",      "type",
                                                       "inputs",     "outputs",  "parent",  "protect", "dependencies",
                                                       "initErrors", "external", "provider"};

bool HadKey(int version, std::string_view key) {
  if (version >= 3) return true;
  const auto end = kOldKeys.end() - (version == 1 ? 2 : 0);
  return std::find(kOldKeys.begin(), end, key) != end;
}

class FieldReader {
 public:
  FieldReader(JsonReader* reader, JsonValueReader* values) : reader_(*reader), values_(*values) {}

  void Read(bool* out) { reader_.ReadBool(out); }
  void Read(std::string* out) { reader_.ReadString(out); }
  void Read(Urn* out) { *out = values_.ReadUrn(); }
  void Read(Value* out) { *out = values_.ReadValue(); }
  void Read(PropertyMap* out) { *out = values_.ReadProperties(); }
  void Read(CustomTimeouts* out) { ReadTimeouts(reader_, out); }

  template <class T>
  void Read(std::vector<T>* out) {
    out->clear();
    for (reader_.BeginArray(); reader_.NextElement();) Read(&out->emplace_back());
  }

  void Read(PropertyDependencies* out) {
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) Read(&(*out)[key]);
    values_.ShareWithLast(out);
  }

  void Read(ResourceHooks* out) {
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) {
      int kind = 0;
      while (kind < kHookKinds && key != HookKindName(static_cast<HookKind>(kind))) ++kind;
      if (kind < kHookKinds) {
        Read(&out->of(static_cast<HookKind>(kind)));
      } else {
        reader_.Skip();
      }
    }
  }

  void ReadFrames(std::vector<std::string>* out) {
    std::string_view key;
    for (reader_.BeginArray(); reader_.NextElement();) {
      out->emplace_back();
      for (reader_.BeginObject(); reader_.NextKey(&key);) {
        if (key == "sourcePosition") {
          reader_.ReadString(&out->back());
        } else {
          reader_.Skip();
        }
      }
    }
  }

 private:
  JsonReader& reader_;
  JsonValueReader& values_;
};

// False if a state has no such field.
bool ReadKey(std::string_view key, FieldReader reader, State* state) {
  return AnyResourceField([&](const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (Field::kInState) {
      if (field.record != key) return false;
      auto* out = &(state->*field.state);
      if constexpr (std::is_same_v<decltype(out), std::vector<std::string>*>) {
        if (field.use.holds_frames) {
          reader.ReadFrames(out);
          return true;
        }
      }
      reader.Read(out);
      return true;
    }
    return false;
  });
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
  FieldReader fields(reader, values);
  std::string_view key;
  for (reader->BeginObject(); reader->NextKey(&key);) {
    const bool names_it = key == "urn";
    if (!HadKey(version, key) || !ReadKey(key, fields, state.get())) reader->Skip();
    if (names_it) values->set_urn(state->urn);
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
