// SPDX-License-Identifier: Apache-2.0
// Configuration of policy packs: files, defaults, precedence and validation.
#include "plugins/policy_config.h"

#include <catch2/catch.hpp>

namespace kingpost::policy_config_test {

std::vector<PolicySchema> Policies() {
  PolicySchema sizes;
  sizes.name = "sizes";
  sizes.schema = nlohmann::json::parse(R"({"properties": {
    "sizes": {"type": "array", "items": {"type": "string", "enum": ["s", "m"]}, "minItems": 1, "default": ["s"]},
    "max": {"type": "integer", "maximum": 10}}, "required": ["max"]})");
  PolicySchema plain;
  plain.name = "plain";
  plain.level = EnforcementLevel::kMandatory;
  return {sizes, plain};
}

PolicyConfigs Parse(const std::string& text) {
  auto configs = ParsePolicyConfigs(text, "c.json");
  INFO(configs.status().message());
  REQUIRE(configs.ok());
  return *configs;
}

TEST_CASE("the file wins over what the pack was built with, which wins over defaults") {
  auto configs =
      ReconcilePolicyConfigs(Policies(), Parse(R"({"sizes": {"max": 3, "sizes": ["m"]}})"),
                             Parse(R"({"all": "disabled", "sizes": {"enforcementLevel": "remediate", "max": 4}})"));
  REQUIRE(configs.ok());
  CHECK((*configs)["sizes"].level == EnforcementLevel::kRemediate);
  CHECK((*configs)["sizes"].properties == nlohmann::json::parse(R"({"max": 4, "sizes": ["m"]})"));
  CHECK((*configs)["plain"].level == EnforcementLevel::kDisabled);
}

TEST_CASE("every mistake in a configuration is told at once") {
  auto configs = ReconcilePolicyConfigs(Policies(), {}, Parse(R"({"sizes": {"sizes": ["xl", 3]}})"));
  REQUIRE_FALSE(configs.ok());
  CHECK(configs.status().message() ==
        "sizes: max is required; sizes: sizes.0: sizes.0 must be one of the following: \"s\", \"m\"; "
        "sizes: sizes.1: Invalid type. Expected: string, given: integer");
}

TEST_CASE("files with wrong shapes are refused with the file's name") {
  CHECK(Parse("  \n").empty());
  CHECK(ParsePolicyConfigs("[]", "c.json").status().message() == "c.json: is not a JSON object");
  CHECK(ParsePolicyConfigs(R"({"a": "nonsense"})", "c.json").status().message() ==
        "c.json: parsing enforcement level for \"a\": \"nonsense\" is not a valid enforcement level");
  CHECK(ParsePolicyConfigs(R"({"a": 7})", "c.json").status().message() ==
        "c.json: parsing \"a\": 7 is not a valid value; must be a string or object");
}

}  // namespace kingpost::policy_config_test
