// SPDX-License-Identifier: Apache-2.0
#include "plugins/policy_config.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/json_access.h"
#include "plugins/json_schema.h"
#include "plugins/policy_exceptions.h"

namespace kingpost {

namespace {

using nlohmann::json;

constexpr char kLevelKey[] = "enforcementLevel";
constexpr char kAllPolicies[] = "all";
constexpr int kConfigVersion = 2;

PolicyConfigs Defaults(const std::vector<PolicySchema>& policies) {
  PolicyConfigs configs;
  for (const PolicySchema& policy : policies) {
    PolicyConfig& config = configs[policy.name];
    config.level = policy.level;
    const json properties = ObjectOf(policy.schema, "properties");
    for (auto it = properties.begin(); it != properties.end(); ++it) {
      if (it.value().is_object() && it.value().contains("default")) {
        config.properties[it.key()] = it.value()["default"];
      }
    }
  }
  return configs;
}

void Apply(const PolicyConfigs& given, PolicyConfigs* configs) {
  if (auto all = given.find(kAllPolicies); all != given.end() && all->second.level) {
    for (auto& [name, config] : *configs) config.level = all->second.level;
  }
  for (const auto& [name, config] : given) {
    PolicyConfig& target = (*configs)[name];
    if (config.level) target.level = config.level;
    if (config.properties.is_object() && !config.properties.empty()) target.properties.update(config.properties);
  }
}

std::vector<std::string> Mistakes(const std::vector<PolicySchema>& policies, const PolicyConfigs& configs) {
  std::vector<std::string> mistakes;
  for (const PolicySchema& policy : policies) {
    if (!policy.schema.is_object()) continue;
    json schema = policy.schema;
    schema["type"] = "object";
    auto config = configs.find(policy.name);
    const bool has_properties = config != configs.end() && config->second.properties.is_object();
    for (const std::string& mistake :
         ValidateJson(schema, has_properties ? config->second.properties : json::object())) {
      mistakes.push_back(policy.name + ": " + mistake);
    }
  }
  std::sort(mistakes.begin(), mistakes.end());
  return mistakes;
}

Result<PolicyConfigs> ParsePolicies(const json& policies) {
  PolicyConfigs configs;
  for (auto it = policies.begin(); it != policies.end(); ++it) {
    auto config = ParsePolicyConfig(it.value(), it.key());
    if (!config.ok()) return config.status();
    if (config->level || !config->properties.is_null()) configs[it.key()] = std::move(*config);
  }
  return configs;
}

// The names of the environments would have to be opened by the service.
Status NeedsNoEnvironments(const json& document) {
  const auto named = document.find("environments");
  if (named == document.end()) return Status();
  if (!named->is_array()) {
    return Status(Code::kInvalidArgument,
                  std::string("\"environments\" must be an array of strings, got ") + named->type_name());
  }
  for (size_t i = 0; i < named->size(); ++i) {
    if ((*named)[i].is_string()) continue;
    return Status(Code::kInvalidArgument,
                  "\"environments[" + std::to_string(i) + "]\" must be a string, got " + (*named)[i].type_name());
  }
  if (named->empty()) return Status();
  return Status(Code::kUnimplemented,
                "names ESC environments, which need Pulumi Cloud; put their values into the file instead");
}

json Given(const json& document, const char* key) {
  const json* field = FieldOf(document, key);
  return field ? *field : json();
}

// Every key is a policy.
Result<PolicyPackConfig> ParseUnversioned(json document) {
  KP_TRY(NeedsNoEnvironments(document));
  document.erase("environments");
  Result<PolicyConfigs> policies = ParsePolicies(document);
  if (!policies.ok()) return policies.status();
  return PolicyPackConfig{std::move(*policies), {}};
}

Result<PolicyPackConfig> ParseVersioned(const json& document, double version) {
  if (version > kConfigVersion) {
    return Status(Code::kInvalidArgument, "policy pack config version " + document["version"].dump() +
                                              " isn't supported; try upgrading the Pulumi CLI");
  }
  if (version != kConfigVersion) return Status(Code::kInvalidArgument, "\"version\" must be 2");
  PolicyPackConfig config;
  const json given = Given(document, "policies");
  if (!given.is_null() && !given.is_object()) {
    return Status(Code::kInvalidArgument,
                  std::string("parsing policy pack config: \"policies\" must be an object, got ") + given.type_name());
  }
  if (document.contains("environments") && !document["environments"].is_null()) {
    KP_TRY(NeedsNoEnvironments(document).Wrap("parsing policy pack config"));
  }
  Result<PolicyConfigs> policies = ParsePolicies(given);
  if (!policies.ok()) return policies.status();
  Result<std::vector<PolicyException>> exceptions = ParsePolicyExceptions(Given(document, "exceptions"));
  if (!exceptions.ok()) return exceptions.status();
  return PolicyPackConfig{std::move(*policies), std::move(*exceptions)};
}

}  // namespace

std::optional<EnforcementLevel> ParseEnforcementLevel(const std::string& name) {
  if (name == "advisory") return EnforcementLevel::kAdvisory;
  if (name == "mandatory") return EnforcementLevel::kMandatory;
  if (name == "remediate") return EnforcementLevel::kRemediate;
  if (name == "disabled") return EnforcementLevel::kDisabled;
  return std::nullopt;
}

Result<PolicyConfig> ParsePolicyConfig(json value, const std::string& policy) {
  const std::string where = "parsing enforcement level for " + Quote(policy) + ": ";
  PolicyConfig config;
  if (value.is_string()) {
    config.level = ParseEnforcementLevel(TextIn(value));
    if (config.level) return config;
    return Status(Code::kInvalidArgument, where + value.dump() + " is not a valid enforcement level");
  }
  if (!value.is_object()) {
    return Status(Code::kInvalidArgument, "parsing " + Quote(policy) + ": " + value.dump() +
                                              " is not a valid value; must be a string or object");
  }
  // Under "all" there is nothing but a level, so its short name, which packs of our own have, can mean nothing else.
  const bool is_short = policy == kAllPolicies && !value.contains(kLevelKey);
  if (auto level = value.find(is_short ? "level" : kLevelKey); level != value.end()) {
    if (!level->is_string()) {
      return Status(Code::kInvalidArgument,
                    where + level->dump() + " is not a valid enforcement level; must be a string");
    }
    config.level = ParseEnforcementLevel(TextIn(*level));
    if (!config.level) {
      return Status(Code::kInvalidArgument, where + level->dump() + " is not a valid enforcement level");
    }
    value.erase(level);
  }
  if (!value.empty()) config.properties = std::move(value);
  return config;
}

Result<PolicyPackConfig> ParsePolicyPackConfig(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return PolicyPackConfig();
  const json document = ParseJson(text);
  if (!document.is_object()) return Status(Code::kInvalidArgument, file + ": is not a JSON object");
  // A policy may have the name "version", and then there is no number.
  const auto version = document.find("version");
  const bool has_version = version != document.end() && version->is_number();
  auto config = has_version ? ParseVersioned(document, NumberIn(*version)) : ParseUnversioned(document);
  if (!config.ok()) return config.status().Wrap(file);
  return config;
}

Result<PolicyConfigs> ReconcilePolicyConfigs(const std::vector<PolicySchema>& policies, const PolicyConfigs& initial,
                                             const PolicyConfigs& given) {
  PolicyConfigs configs = Defaults(policies);
  Apply(initial, &configs);
  Apply(given, &configs);
  const std::vector<std::string> mistakes = Mistakes(policies, configs);
  if (mistakes.empty()) return configs;
  std::string text;
  for (const std::string& mistake : mistakes) text += (text.empty() ? "" : "; ") + mistake;
  return Status(Code::kInvalidArgument, text);
}

}  // namespace kingpost
