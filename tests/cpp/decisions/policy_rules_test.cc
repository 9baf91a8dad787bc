// SPDX-License-Identifier: Apache-2.0
// Checks which violations stop a run, and the summary of a pack's policies.
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

TEST_CASE("a pack's summary names the violated and the kept policies of its kind that are active") {
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

TEST_CASE("an exception allows the policies that it names to the resources that it names, and no others") {
  const Urn a("urn:pulumi:dev::shop::pkg:m:R::a"), b("urn:pulumi:dev::shop::pkg:m:R::b");
  const std::vector<PolicyException> exceptions = {{"e1", "later", {{{"p", "q"}, {a}}}},
                                                   {"e2", "never", {{{"q"}, {b}}, {{"p"}, {a, b}}}}};
  const auto ids = [&](const char* policy, const Urn& urn) {
    std::string text;
    for (const AppliedException& one : ExceptionsFor(exceptions, policy, urn)) text += one.id + "=" + one.reason + " ";
    return text;
  };
  CHECK(ids("p", a) == "e1=later e2=never ");
  CHECK(ids("p", b) == "e2=never ");
  CHECK(ids("q", a) == "e1=later ");
  CHECK(ids("q", b) == "e2=never ");
  CHECK(ids("r", a).empty());
  CHECK(ids("p", Urn("urn:pulumi:dev::shop::pkg:m:R::c")).empty());

  PolicyDiagnostic violation;
  violation.level = EnforcementLevel::kMandatory;
  CHECK(Forbids(violation, {}));
  CHECK_FALSE(Forbids(violation, {{"e1", "later"}}));
  violation.level = EnforcementLevel::kAdvisory;
  CHECK_FALSE(Forbids(violation, {}));
}

TEST_CASE("exceptions come in the order of their IDs, in which numbers are numbers") {
  const char* const kInOrder[] = {"", "1", "2", "02", "10", "A", "e", "e1", "e2", "e2a", "e2b", "e10", "e010b", "f"};
  std::vector<PolicyException> exceptions;
  for (const char* id : kInOrder) exceptions.push_back({id, "", {}});
  for (size_t i = 0; i < exceptions.size(); ++i) {
    for (size_t j = 0; j < exceptions.size(); ++j) {
      INFO(exceptions[i].id << " and " << exceptions[j].id);
      const bool same_number = exceptions[i].id == "02" || exceptions[j].id == "02";
      if (!same_number) CHECK(ComesBefore(exceptions[i], exceptions[j]) == (i < j));
      CHECK_FALSE((ComesBefore(exceptions[i], exceptions[j]) && ComesBefore(exceptions[j], exceptions[i])));
      CHECK((i == j || ComesBefore(exceptions[i], exceptions[j]) || ComesBefore(exceptions[j], exceptions[i])));
    }
  }
}

TEST_CASE("a policy that an exception names and the pack lacks is reported once") {
  AnalyzerInfo info;
  info.name = "pack";
  info.policies.emplace_back().name = "known";
  info.exceptions = {{"e1", "later", {{{"known", "gone", "gone"}, {}}, {{"gone"}, {}}}}};
  CHECK(UnknownInExceptions(info) ==
        std::vector<std::string>{
            "policy exception \"e1\" for policy pack \"pack\" names policy \"gone\", which isn't in the pack"});
}

}  // namespace kingpost::policy_rules_test
