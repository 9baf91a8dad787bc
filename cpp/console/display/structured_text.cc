// SPDX-License-Identifier: Apache-2.0
#include "console/display/structured_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "workspace/yaml_node.h"

namespace kingpost {

namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53
constexpr size_t kLongestText = 1 << 20;
constexpr int kDeepest = 100;

// Null where a number would be another one as a double.
std::optional<Value> FromJson(const nlohmann::json& json, int depth) {
  if (depth > kDeepest) return std::nullopt;
  if (json.is_null()) return Value();
  if (json.is_boolean()) return Value(BoolIn(json));
  if (json.is_string()) return Value(TextIn(json));
  if (json.is_number()) {
    const double number = NumberIn(json);
    if (json.is_number_integer() && std::fabs(number) >= kLargestExactInteger) return std::nullopt;
    return Value(number);
  }
  if (json.is_array()) {
    Array array;
    for (const auto& item : json) {
      std::optional<Value> value = FromJson(item, depth + 1);
      if (!value) return std::nullopt;
      array.push_back(std::move(*value));
    }
    return Value(std::move(array));
  }
  PropertyMap::Entries entries;
  for (const auto& [key, item] : json.items()) {
    std::optional<Value> value = FromJson(item, depth + 1);
    if (!value) return std::nullopt;
    entries.push_back({key, std::move(*value)});
  }
  return Value(PropertyMap::FromEntries(std::move(entries)));
}

std::optional<StructuredText> Structured(const nlohmann::json& json, const char* format) {
  if (!json.is_structured() || json.empty()) return std::nullopt;
  std::optional<Value> value = FromJson(json, 0);
  if (!value) return std::nullopt;
  return StructuredText{format, std::move(*value)};
}

}  // namespace

std::optional<StructuredText> ParseJsonText(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || (text[first] != '{' && text[first] != '[')) return std::nullopt;
  if (text.size() > kLongestText) return std::nullopt;
  return Structured(ParseJson(text), "json");
}

std::optional<StructuredText> ParseStructuredText(const std::string& text) {
  if (std::optional<StructuredText> json = ParseJsonText(text)) return json;
  if (text.size() > kLongestText || text.find('\n') == std::string::npos) return std::nullopt;
  if (text.find(": ") == std::string::npos && text.find("- ") == std::string::npos &&
      text.find(":\n") == std::string::npos) {
    return std::nullopt;
  }
  const Result<YamlDocument> document = YamlDocument::Parse("text", text);
  return document.ok() ? Structured(document->json(), "yaml") : std::nullopt;
}

}  // namespace kingpost
