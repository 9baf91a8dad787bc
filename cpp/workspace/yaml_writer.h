// SPDX-License-Identifier: Apache-2.0
// Writes values as YAML in the style of the reference's files: two spaces, plain scalars where they read back as what
// they are, quotes where not.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kingpost {

// One line, without newline: a scalar, or a collection in brackets.
std::string YamlFlow(const nlohmann::ordered_json& value);

// The lines of a collection, each ended by a newline and indented. Not for empty ones, which only have a flow form.
std::string YamlBlock(const nlohmann::ordered_json& value, int indent);

// "key: value" with its newline, nested blocks below.
std::string YamlEntry(const std::string& key, const nlohmann::ordered_json& value, int indent);
// "- value" likewise.
std::string YamlItem(const nlohmann::ordered_json& value, int indent);

// A number as Go writes it: 1 for 1.0.
std::string NumberText(const nlohmann::ordered_json& number);

}  // namespace kingpost
