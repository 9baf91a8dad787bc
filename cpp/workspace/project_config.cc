// SPDX-License-Identifier: Apache-2.0
#include "workspace/project_config.h"

#include <charconv>
#include <cmath>

#include "base/json_access.h"

namespace kingpost {
namespace {

using Json = nlohmann::json;

bool IsInteger(const Json& value) {
  if (value.is_number_integer()) return true;
  if (value.is_number_float()) return NumberIn(value) == std::trunc(NumberIn(value));
  if (!value.is_string()) return false;
  const std::string text = TextIn(value);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + (text[0] == '+'), text.data() + text.size(), number);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

std::string TypeOf(const Json& items) { return TextOf(items, "type"); }

Json ItemsOf(const Json& items) {
  const Json* inner = FieldOf(items, "items");
  return inner ? *inner : Json();
}

bool HasType(const Json& value, const std::string& type, const Json& items) {
  if (type == "string") return value.is_string();
  if (type == "integer") return IsInteger(value);
  if (type == "boolean") return value.is_boolean() || value == "true" || value == "false";
  if (type == "object") return value.is_object();
  if (!value.is_array() || !items.is_object()) return false;
  for (const Json& item : value) {
    if (!HasType(item, TypeOf(items), ItemsOf(items))) return false;
  }
  return true;
}

std::string TypeName(const std::string& type, const Json& items) {
  if (!items.is_object()) return type;
  return "array<" + TypeName(TypeOf(items), ItemsOf(items)) + ">";
}

// 'a', 'b' and 'c'
std::string Enumerate(const std::vector<std::string>& keys) {
  std::string text;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) text += i + 1 == keys.size() ? " and " : ", ";
    text += "'" + keys[i] + "'";
  }
  return text;
}

}  // namespace

bool DeclaresSecret(const Project& project, const ConfigKey& key) {
  for (const auto& [text, entry] : project.config) {
    const Result<ConfigKey> declared = ConfigKey::Parse(text, project.name);
    if (declared.ok() && declared->str() == key.str()) return entry.secret;
  }
  return false;
}

Result<ConfigMap> MergeProjectConfig(const Project& project, const std::string& stack, ConfigMap config,
                                     bool validate) {
  std::vector<std::string> missing;
  for (const auto& [text, entry] : project.config) {
    const Result<ConfigKey> key = ConfigKey::Parse(text, project.name);
    if (!key.ok()) return key.status().Wrap(project.file);
    const Result<std::optional<Json>> set = GetConfig(config, *key, /*path=*/true);
    if (!set.ok()) return set.status();
    if (*set) continue;
    if (const auto& value = entry.default_value ? entry.default_value : entry.value) {
      const Status merged = SetConfig(&config, *key, *value, /*path=*/true);
      if (!merged.ok()) return merged;
    } else if (key->space == project.name) {
      missing.push_back(text);
    }
  }
  if (validate && !missing.empty()) {
    return Status(Code::kFailedPrecondition, "Stack '" + stack + "' is missing configuration " +
                                                 (missing.size() > 1 ? "values " : "value ") + Enumerate(missing));
  }
  return config;
}

Status ValidateProjectConfig(const Project& project, const std::string& stack, const ConfigMap& merged,
                             const std::map<std::string, ConfigValue>& plain) {
  for (const auto& [text, entry] : project.config) {
    if (entry.type.empty()) continue;
    const Result<ConfigKey> key = ConfigKey::Parse(text, project.name);
    if (!key.ok()) return key.status();
    const auto value = merged.find(key->str());
    const auto decrypted = plain.find(key->str());
    if (value == merged.end() || decrypted == plain.end()) continue;
    const std::string subject = "Stack '" + stack + "' with configuration key '" + text + "' must be ";
    if (entry.secret && !decrypted->second.secret) {
      return {Code::kFailedPrecondition, subject + "encrypted as it's secret; use 'config set --secret'"};
    }
    Json content = value->second;
    if (decrypted->second.object) {
      content = ParseJson(decrypted->second.value);
    } else if (decrypted->second.secret || content.is_null()) {
      content = decrypted->second.value;
    }
    if (!HasType(content, entry.type, *entry.items)) {
      return {Code::kFailedPrecondition, subject + "of type '" + TypeName(entry.type, *entry.items) + "'"};
    }
  }
  return Status::Ok();
}

}  // namespace kingpost
