// SPDX-License-Identifier: Apache-2.0
// The meaning of the answers of policy packs (rows 3.14, 9.2 to 9.4, 9.10). Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kingpost/analyzer.h"

namespace kingpost::decisions {

// The level at which a violation counts: what a pack would have set right itself, and could not, is mandatory.
EnforcementLevel LevelOf(const PolicyDiagnostic& violation);
bool IsMandatory(const PolicyDiagnostic& violation);

// The order in which exceptions are told: by their IDs, numbers in them as numbers.
bool ComesBefore(const PolicyException& a, const PolicyException& b);
// Those that allow a violation of a policy by a resource, in their order.
std::vector<AppliedException> ExceptionsFor(const std::vector<PolicyException>& exceptions, const std::string& policy,
                                            const Urn& urn);
// One warning for each policy that an exception names and the pack does not have.
std::vector<std::string> UnknownInExceptions(const AnalyzerInfo& info);
// Whether a violation forbids what it was found in: it is mandatory, and no exception allows it.
bool Forbids(const PolicyDiagnostic& violation, const std::vector<AppliedException>& exceptions);

// A violating resource is not made; a preview reports it and goes on.
bool StopsForPolicies(bool breaks_mandatory, bool preview);

// Packs do not see what the engine notes among the properties.
PropertyMap WithoutReservedKeys(const PropertyMap& properties);

// Which of a pack's active policies of a kind were kept, and which of those that it spoke of were broken. One that has
// nothing to say of a resource is neither.
struct PolicySummary {
  std::vector<std::string> passed, failed;
};
template <class Reports>  // of PolicyDiagnostic or Remediation
PolicySummary SummaryOf(const AnalyzerInfo& info, PolicyType type, const Reports& reports) {
  std::set<std::string> broken, silent, kept;
  for (const auto& report : reports) (report.not_applicable ? silent : broken).insert(report.policy);
  for (const PolicyInfo& policy : info.policies) {
    const bool counts = policy.type == type || policy.type == PolicyType::kUnknown;
    if (!counts || policy.level == EnforcementLevel::kDisabled) continue;
    if (broken.count(policy.name) == 0 && silent.count(policy.name) == 0) kept.insert(policy.name);
  }
  return {{kept.begin(), kept.end()}, {broken.begin(), broken.end()}};
}

}  // namespace kingpost::decisions
