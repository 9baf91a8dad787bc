// SPDX-License-Identifier: Apache-2.0
// One resource of a state file (row 7.4), and resources of versions 1 and 2 brought up to version 3.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/json_value.h"
#include "model/json_writer.h"

namespace kingpost {

// Keys that the version does not know are skipped. Null after a failure, which sticks to the reader.
// `lenient`: also one that breaks the rules of model/broken_fields.h.
StatePtr ReadState(JsonReader* reader, JsonValueReader* values, int version, bool lenient = false);

// {"create": SECONDS, ...}
void ReadTimeouts(JsonReader& reader, CustomTimeouts* out);

// Writes states to one string; owns what stays the same from state to state.
class JsonStateWriter {
 public:
  JsonStateWriter(const EncodeOptions& options, std::string* out) : json_(out), values_(options, out) {}

  void Append(const State& state);

  const Status& status() const { return values_.status(); }
  bool wrote_byte_string() const { return values_.wrote_byte_string(); }
  bool wrote_sealed() const { return values_.wrote_sealed(); }

 private:
  // Empty ones are left out; those that may not be say so.
  void Field(std::string_view key, bool flag, bool even_empty);
  void Field(std::string_view key, const std::string& text, bool even_empty);
  void Field(std::string_view key, const Urn& urn, bool even_empty);
  void Field(std::string_view key, const std::vector<std::string>& texts, bool even_empty);
  void Field(std::string_view key, const std::vector<Urn>& urns, bool even_empty);
  void Field(std::string_view key, const PropertyMap& map, bool even_empty);
  void Field(std::string_view key, const Value& value, bool even_empty);
  void Field(std::string_view key, const PropertyDependencies& dependencies, bool even_empty);
  void Field(std::string_view key, const CustomTimeouts& timeouts, bool even_empty);
  void Field(std::string_view key, const ResourceHooks& hooks, bool even_empty);
  void Frames(std::string_view key, const std::vector<std::string>& positions);

  JsonWriter json_;
  JsonValueWriter values_;
};

}  // namespace kingpost
