// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/flat_json.h"

#include "base/json_access.h"

namespace kingpost {

namespace {

using nlohmann::json;

std::string DumpJson(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

void CollectFields(const json& value, const std::string& way, std::map<std::string, std::string>* fields) {
  const std::string prefix = way.empty() ? "" : way + ".";
  if (value.is_object()) {
    for (const auto& [name, child] : value.items()) CollectFields(child, prefix + name, fields);
  } else if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) CollectFields(value[i], prefix + std::to_string(i), fields);
  } else if (value.is_string()) {
    (*fields)[way] = TextIn(value);
  } else if (!value.is_null()) {
    (*fields)[way] = DumpJson(value);
  }
}

}  // namespace

std::optional<FlatJson> FlatJson::Parse(std::string_view text) {
  const json document = ParseJson(text);
  if (!document.is_object()) return std::nullopt;
  FlatJson fields;
  CollectFields(document, "", &fields.values_);
  return fields;
}

std::string FlatJson::Text(const std::string& way) const {
  const auto found = values_.find(way);
  return found == values_.end() ? "" : found->second;
}

std::string JsonText(std::string_view text) { return DumpJson(json(text)); }

std::string JsonOf(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string text;
  for (const auto& [name, value] : fields) text += (text.empty() ? "" : ",") + JsonText(name) + ":" + JsonText(value);
  return "{" + text + "}";
}

}  // namespace kingpost
