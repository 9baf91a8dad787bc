// SPDX-License-Identifier: Apache-2.0
// The configuration of a policy pack: the policies' defaults, what the pack was built with, and the user's JSON file,
// in this order (row 9.1). Pure. Any thread.
//
//   {"all": "mandatory", "allowed-sizes": {"enforcementLevel": "advisory", "sizes": ["small"]}}
//
// With a version the policies have a key of their own, and exceptions stand beside them (row 9.10):
//
//   {"version": 2, "policies": {"all": "mandatory"}, "exceptions": {..}}
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "kingpost/analyzer.h"
#include "kingpost/policy_exception.h"

namespace kingpost {

struct PolicyConfig {
  std::optional<EnforcementLevel> level;
  nlohmann::json properties;  // an object, or null
};
using PolicyConfigs = std::map<std::string, PolicyConfig>;  // by policy; "all" in files

// The contents of a file.
struct PolicyPackConfig {
  PolicyConfigs policies;
  std::vector<PolicyException> exceptions;
};

// A pack's description of one of its policies.
struct PolicySchema {
  std::string name;
  EnforcementLevel level = EnforcementLevel::kAdvisory;
  nlohmann::json schema;  // JSON Schema of its properties, or null
};

std::optional<EnforcementLevel> ParseEnforcementLevel(const std::string& name);

// Empty text is an empty configuration. `file` is for errors.
Result<PolicyPackConfig> ParsePolicyPackConfig(const std::string& text, const std::string& file);
// One policy's object with its "enforcementLevel" among the keys.
Result<PolicyConfig> ParsePolicyConfig(nlohmann::json object, const std::string& policy);

// Fails with every mistake, sorted.
Result<PolicyConfigs> ReconcilePolicyConfigs(const std::vector<PolicySchema>& policies, const PolicyConfigs& initial,
                                             const PolicyConfigs& given);

}  // namespace kingpost
