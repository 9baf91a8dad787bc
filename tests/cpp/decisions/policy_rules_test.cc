// SPDX-License-Identifier: Apache-2.0
// What violations forbid, and how a pack's policies are summed up.
#include "decisions/policy_rules.h"

#include <catch2/catch.hpp>

namespace kingpost::policy_rules_test {

using namespace decisions;

TEST_CASE("a violation at the level of remediation counts as mandatory, and only mandatory ones forbid") {
  using Level = EnforcementLevel;
  struct Row {
    Level said, counts;
    bool mandatory;
  };
  static constexpr Row kTable[] = {{Level::kAdvisory, Level::kAdvisory, false},
                                   {Level::kMandatory, Level::kMandatory, true},
                                   {Level::kDisabled, Level::kDisabled, false},
                                   {Level::kRemediate, Level::kMandatory, true}};
  for (const Row& row : kTable) {
    PolicyDiagnostic violation;
    violation.level = row.said;
    CHECK(LevelOf(violation) == row.counts);
    CHECK(IsMandatory(violation) == row.mandatory);
  }
  CHECK(StopsForPolicies(true, false));
  CHECK_FALSE(StopsForPolicies(true, /*preview=*/true));
  CHECK_FALSE(StopsForPolicies(false, false));
}

TEST_CASE("a pack's summary names what was broken, and what was kept of the active policies of that kind") {
  AnalyzerInfo info;
  const auto add = [&info](const char* name, PolicyType type, EnforcementLevel level) {
    info.policies.emplace_back();
    info.policies.back().name = name;
    info.policies.back().type = type;
    info.policies.back().level = level;
  };
  add("kept", PolicyType::kResource, EnforcementLevel::kAdvisory);
  add("broken", PolicyType::kResource, EnforcementLevel::kMandatory);
  add("silent", PolicyType::kResource, EnforcementLevel::kAdvisory);
  add("off", PolicyType::kResource, EnforcementLevel::kDisabled);
  add("of-stacks", PolicyType::kStack, EnforcementLevel::kAdvisory);
  add("of-any", PolicyType::kUnknown, EnforcementLevel::kAdvisory);
  std::vector<PolicyDiagnostic> reports(3);
  reports[0].policy = reports[1].policy = "broken";
  reports[2].policy = "silent";
  reports[2].not_applicable = true;
  const PolicySummary summary = SummaryOf(info, PolicyType::kResource, reports);
  CHECK(summary.passed == std::vector<std::string>{"kept", "of-any"});
  CHECK(summary.failed == std::vector<std::string>{"broken"});
  const PolicySummary of_stack = SummaryOf(info, PolicyType::kStack, std::vector<PolicyDiagnostic>());
  CHECK(of_stack.passed == std::vector<std::string>{"of-any", "of-stacks"});
}

TEST_CASE("packs do not see reserved properties") {
  const PropertyMap plain = WithoutReservedKeys({{"__internal", 1}, {"_one", 2}, {"a__b", 3}});
  CHECK(DeepEqual(plain, PropertyMap{{"_one", 2}, {"a__b", 3}}));
}

}  // namespace kingpost::policy_rules_test
