// SPDX-License-Identifier: Apache-2.0
// Checks the section of policy packs below the list of resources.
#include "console/display/policy_section.h"

#include <catch2/catch.hpp>

namespace kingpost::policy_section_test {

const Urn kShop("urn:pulumi:dev::shop::pkg:m:R::shop");
const Urn kBar("urn:pulumi:dev::shop::pkg:m:R::bar");

PolicyEvent Violation(const Urn& urn, const std::string& policy, EnforcementLevel level, const std::string& severity,
                      const std::string& message) {
  PolicyEvent event;
  event.urn = urn;
  event.diagnostic.policy = policy;
  event.diagnostic.pack = "house";
  event.diagnostic.pack_version = "1.0.0";
  event.diagnostic.level = level;
  event.diagnostic.severity = severity;
  event.diagnostic.message = message;
  return event;
}

PolicyRemediationEvent Remediated(const Urn& urn, const std::string& policy, PropertyMap before, PropertyMap after) {
  PolicyRemediationEvent event;
  event.urn = urn;
  event.remediation.policy = policy;
  event.remediation.pack = "house";
  event.remediation.pack_version = "1.0.0";
  event.before = std::move(before);
  event.after = std::move(after);
  return event;
}

std::string Text(const std::map<std::string, std::string>& packs, const std::vector<PolicyEvent>& violations,
                 const std::vector<PolicyRemediationEvent>& remediations, bool list_remediations) {
  return PolicySectionText({packs, violations, remediations, list_remediations}, Painter(false));
}

TEST_CASE("without packs there is no section of policies", "[cli]") { CHECK(Text({}, {}, {}, false).empty()); }

TEST_CASE("a pack that found nothing is listed too, with the folders that hold it", "[cli]") {
  CHECK(Text({{"house|local|packs/b", "1.0.0"}, {"house|local|packs/a", "1.0.0"}, {"far", "2.0.0"}}, {}, {}, false) ==
        "Policies:\n"
        "    ✅ far@v2.0.0\n"
        "    ✅ house@v1.0.0 (local: packs/a; packs/b)\n"
        "\n");
}

TEST_CASE("mandatory violations stand first and mark their pack, then the severe ones", "[cli]") {
  const auto advisory = EnforcementLevel::kAdvisory;
  CHECK(Text({{"house", "1.0.0"}},
             {Violation(kShop, "short", advisory, "low", "too short"), Violation(kBar, "hot", advisory, "high", "a\nb"),
              Violation(Urn(), "few", EnforcementLevel::kMandatory, "", "no more\n")},
             {}, false) ==
        "Policies:\n"
        "    ❌ house@v1.0.0\n"
        "        - [mandatory]  few\n"
        "          no more\n"
        "        - [advisory] [severity: high]  hot  (pkg:m:R: bar)\n"
        "          a\n"
        "          b\n"
        "        - [advisory] [severity: low]  short  (pkg:m:R: shop)\n"
        "          too short\n"
        "\n");
}

TEST_CASE("remediations are counted, or listed with their changes", "[cli]") {
  const std::vector<PolicyRemediationEvent> remediations = {
      Remediated(kShop, "owned", {{"size", 1}, {"old", 1}}, {{"size", 2}, {"owner", "nobody"}}),
      Remediated(kBar, "owned", {}, {{"owner", "nobody"}})};
  CHECK(Text({{"house", "1.0.0"}}, {}, remediations, false) ==
        "Policies:\n"
        "    ✅ house@v1.0.0\n"
        "        - [remediate]  owned  (2 resources)\n"
        "\n");
  CHECK(Text({{"house", "1.0.0"}}, {}, remediations, true) ==
        "Policies:\n"
        "    ✅ house@v1.0.0\n"
        "        - [remediate]  owned  (pkg:m:R: shop) [diff: +owner,~size,-old]\n"
        "        - [remediate]  owned  (pkg:m:R: bar) [diff: +owner]\n"
        "\n");
}

TEST_CASE("exempted violations are counted, or listed last with their exceptions, and do not mark their pack",
          "[cli]") {
  const auto exempted = [](const Urn& urn, const std::string& policy) {
    PolicyEvent event = Violation(urn, policy, EnforcementLevel::kMandatory, "", "not so");
    event.exceptions = {{"EXC-2", "until the audit"}, {"EXC-10", "as agreed"}};
    return event;
  };
  const std::map<std::string, std::string> packs = {{"house", "1.0.0"}};
  const std::vector<PolicyEvent> all_exempted = {exempted(kShop, "few"), exempted(kBar, "few"), exempted(kBar, "big")};
  CHECK(Text(packs, all_exempted, {}, false) ==
        "Policies:\n"
        "    ✅ house@v1.0.0\n"
        "        · [exempted]  big  (1 violation)\n"
        "        · [exempted]  few  (2 violations)\n"
        "\n");
  const std::vector<PolicyEvent> mixed = {exempted(kShop, "few"),
                                          Violation(kBar, "short", EnforcementLevel::kAdvisory, "", "too short")};
  CHECK(PolicySectionText({packs, mixed, {}, false, /*list_exempted=*/true}, Painter(false)) ==
        "Policies:\n"
        "    ⚠️ house@v1.0.0\n"
        "        - [advisory]  short  (pkg:m:R: bar)\n"
        "          too short\n"
        "        · [exempted] [mandatory]  few  (pkg:m:R: shop)\n"
        "          not so\n"
        "          EXC-2: until the audit\n"
        "          EXC-10: as agreed\n"
        "\n");
}

}  // namespace kingpost::policy_section_test
