// SPDX-License-Identifier: Apache-2.0
#include "decisions/policy_rules.h"

#include "decisions/preview.h"

namespace kingpost::decisions {

EnforcementLevel LevelOf(const PolicyDiagnostic& violation) {
  return violation.level == EnforcementLevel::kRemediate ? EnforcementLevel::kMandatory : violation.level;
}

bool IsMandatory(const PolicyDiagnostic& violation) { return LevelOf(violation) == EnforcementLevel::kMandatory; }

bool StopsForPolicies(bool breaks_mandatory, bool preview) { return breaks_mandatory && StopsWhatIsForbidden(preview); }

PropertyMap WithoutReservedKeys(const PropertyMap& properties) {
  PropertyMap plain = properties;
  for (const auto& [key, value] : properties) {
    if (key.rfind("__", 0) == 0) plain.Erase(key);
  }
  return plain;
}

}  // namespace kingpost::decisions
