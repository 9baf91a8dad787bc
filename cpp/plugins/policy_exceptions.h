// SPDX-License-Identifier: Apache-2.0
// The exceptions in the configuration of a policy pack (row 9.10). Pure. Any thread.
//
//   {"EXC-1": {"reason": "until the audit", "match": [{"policies": ["no-public"], "targets": ["urn:pulumi:..."]}]}}
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/status.h"
#include "kingpost/policy_exception.h"

namespace kingpost {

// Null is none. Fails with every mistake, one a line.
Result<std::vector<PolicyException>> ParsePolicyExceptions(const nlohmann::json& exceptions);

}  // namespace kingpost
