// SPDX-License-Identifier: Apache-2.0
#include "decisions/policy_rules.h"

#include <algorithm>
#include <string_view>

#include "base/encoding.h"
#include "decisions/preview.h"

namespace kingpost::decisions {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits, or all up to the next digit, from the front.
std::string_view TakeRun(std::string_view* text) {
  size_t end = 1;
  while (end < text->size() && IsDigit((*text)[end]) == IsDigit((*text)[0])) ++end;
  const std::string_view run = text->substr(0, end);
  text->remove_prefix(end);
  return run;
}

// Below, at or above zero. Numbers compare by their values.
int CompareRuns(std::string_view a, std::string_view b) {
  if (!IsDigit(a[0]) || !IsDigit(b[0])) return a.compare(b);
  a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
  b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

int CompareNaturally(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view of_a = TakeRun(&a), of_b = TakeRun(&b);
    if (const int order = CompareRuns(of_a, of_b); order != 0) return order;
  }
  return a.compare(b);
}

bool Holds(const PolicyException& exception, const std::string& policy, const Urn& urn) {
  const auto has = [](const auto& list, const auto& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  };
  return std::any_of(exception.matches.begin(), exception.matches.end(), [&](const PolicyException::Match& match) {
    return has(match.policies, policy) && has(match.targets, urn);
  });
}

}  // namespace

EnforcementLevel LevelOf(const PolicyDiagnostic& violation) {
  return violation.level == EnforcementLevel::kRemediate ? EnforcementLevel::kMandatory : violation.level;
}

bool IsMandatory(const PolicyDiagnostic& violation) { return LevelOf(violation) == EnforcementLevel::kMandatory; }

bool ComesBefore(const PolicyException& a, const PolicyException& b) {
  const int order = CompareNaturally(a.id, b.id);
  return order != 0 ? order < 0 : a.id < b.id;
}

std::vector<AppliedException> ExceptionsFor(const std::vector<PolicyException>& exceptions, const std::string& policy,
                                            const Urn& urn) {
  std::vector<AppliedException> applied;
  for (const PolicyException& exception : exceptions) {
    if (Holds(exception, policy, urn)) applied.push_back({exception.id, exception.reason});
  }
  return applied;
}

std::vector<std::string> UnknownInExceptions(const AnalyzerInfo& info) {
  std::vector<std::string> warnings;
  for (const PolicyException& exception : info.exceptions) {
    std::set<std::string> seen;
    for (const PolicyInfo& policy : info.policies) seen.insert(policy.name);
    for (const PolicyException::Match& match : exception.matches) {
      for (const std::string& policy : match.policies) {
        if (!seen.insert(policy).second) continue;
        warnings.push_back("policy exception " + Quote(exception.id) + " for policy pack " + Quote(info.name) +
                           " names policy " + Quote(policy) + ", which isn't in the pack");
      }
    }
  }
  return warnings;
}

bool Forbids(const PolicyDiagnostic& violation, const std::vector<AppliedException>& exceptions) {
  return IsMandatory(violation) && exceptions.empty();
}

bool StopsForPolicies(bool breaks_mandatory, bool preview) { return breaks_mandatory && BlocksForbiddenSteps(preview); }

PropertyMap WithoutReservedKeys(const PropertyMap& properties) {
  PropertyMap plain = properties;
  for (const auto& [key, value] : properties) {
    if (key.rfind("__", 0) == 0) plain.Erase(key);
  }
  return plain;
}

}  // namespace kingpost::decisions
