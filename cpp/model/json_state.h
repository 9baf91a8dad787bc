// SPDX-License-Identifier: Apache-2.0
// One resource of a state file (row 7.4), and resources of versions 1 and 2 brought up to version 3.
#pragma once

#include <string>

#include "model/json_value.h"

namespace kingpost {

// Keys that the version does not know are skipped. Null after a failure, which sticks to the reader.
// `lenient`: also one that breaks the rules of model/broken_fields.h.
StatePtr ReadState(JsonReader* reader, JsonValueReader* values, int version, bool lenient = false);

// {"create": SECONDS, ...}
void ReadTimeouts(JsonReader& reader, CustomTimeouts* out);

// Writes states to one string; owns what stays the same from state to state.
class JsonStateWriter {
 public:
  JsonStateWriter(const EncodeOptions& options, std::string* out) : out_(*out), values_(options, out) {}

  void Append(const State& state);

  const Status& status() const { return values_.status(); }
  bool wrote_byte_string() const { return values_.wrote_byte_string(); }
  bool wrote_sealed() const { return values_.wrote_sealed(); }

 private:
  void Key(const char* key);
  void Flag(const char* key, bool value);
  void Text(const char* key, const std::string& text);
  void UrnText(const char* key, const Urn& urn) { Text(key, urn.str()); }
  void Texts(const char* key, const std::vector<std::string>& texts);
  void Urns(const char* key, const std::vector<Urn>& urns);
  void Properties(const char* key, const PropertyMap& map);
  void AppendDependencies(const PropertyDependencies& dependencies);
  void AppendTimeouts(const CustomTimeouts& timeouts);
  void AppendStackTrace(const std::vector<std::string>& positions);
  void AppendHooks(const ResourceHooks& hooks);

  std::string& out_;
  JsonValueWriter values_;
};

}  // namespace kingpost
