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
  auto config = ParsePolicyPackConfig(text, "c.json");
  INFO(config.status().message());
  REQUIRE(config.ok());
  return config->policies;
}

TEST_CASE("the configuration file comes before the pack's own settings, and these before defaults") {
  auto configs =
      ReconcilePolicyConfigs(Policies(), Parse(R"({"sizes": {"max": 3, "sizes": ["m"]}})"),
                             Parse(R"({"all": "disabled", "sizes": {"enforcementLevel": "remediate", "max": 4}})"));
  REQUIRE(configs.ok());
  CHECK((*configs)["sizes"].level == EnforcementLevel::kRemediate);
  CHECK((*configs)["sizes"].properties == nlohmann::json::parse(R"({"max": 4, "sizes": ["m"]})"));
  CHECK((*configs)["plain"].level == EnforcementLevel::kDisabled);
}

TEST_CASE("all mistakes in a configuration are in one error") {
  auto configs = ReconcilePolicyConfigs(Policies(), {}, Parse(R"({"sizes": {"sizes": ["xl", 3]}})"));
  REQUIRE_FALSE(configs.ok());
  CHECK(configs.status().message() ==
        "sizes: max is required; sizes: sizes.0: sizes.0 must be one of the following: \"s\", \"m\"; "
        "sizes: sizes.1: Invalid type. Expected: string, given: integer");
}

std::string Refusal(const std::string& text) { return ParsePolicyPackConfig(text, "c.json").status().message(); }

TEST_CASE("files with wrong shapes are refused with the file's name") {
  CHECK(Parse("  \n").empty());
  CHECK(Refusal("[]") == "c.json: is not a JSON object");
  CHECK(Refusal(R"({"a": "nonsense"})") ==
        "c.json: parsing enforcement level for \"a\": \"nonsense\" is not a valid enforcement level");
  CHECK(Refusal(R"({"a": 7})") == "c.json: parsing \"a\": 7 is not a valid value; must be a string or object");
}

TEST_CASE("a file with a version has the policies under a key of their own; a policy may be called version") {
  CHECK(Parse(R"({"version": 2, "policies": {"all": "disabled"}})")["all"].level == EnforcementLevel::kDisabled);
  CHECK(Parse(R"({"version": "mandatory"})")["version"].level == EnforcementLevel::kMandatory);
  CHECK(Parse(R"({"version": 2, "policies": null, "exceptions": null, "environments": null})").empty());
  CHECK(Parse(R"({"version": 2, "plain": 7})").empty());
  CHECK(Refusal(R"({"version": 3})") ==
        "c.json: policy pack config version 3 isn't supported; try upgrading the Pulumi CLI");
  CHECK(Refusal(R"({"version": 2.5})") ==
        "c.json: policy pack config version 2.5 isn't supported; try upgrading the Pulumi CLI");
  CHECK(Refusal(R"({"version": 1})") == "c.json: \"version\" must be 2");
  CHECK(Refusal(R"({"version": 2, "policies": []})") ==
        "c.json: parsing policy pack config: \"policies\" must be an object, got array");
  CHECK(Refusal(R"({"version": 2, "policies": {"a": 7}})") ==
        "c.json: parsing \"a\": 7 is not a valid value; must be a string or object");
}

TEST_CASE("environments are a list of names, and none can be opened here") {
  CHECK(Parse(R"({"environments": [], "plain": "advisory"})").size() == 1);
  CHECK(Refusal(R"({"environments": "prod"})") == "c.json: \"environments\" must be an array of strings, got string");
  CHECK(Refusal(R"({"environments": ["a", 1]})") == "c.json: \"environments[1]\" must be a string, got number");
  for (const char* text : {R"({"environments": ["a"]})", R"({"version": 2, "environments": ["a"]})"}) {
    CHECK(Refusal(text).find("names ESC environments, which need Pulumi Cloud") != std::string::npos);
  }
}

TEST_CASE("exceptions are read with their policies and targets") {
  const auto config = ParsePolicyPackConfig(R"({"version": 2, "exceptions": {"EXC-1": {"reason": "later", "match": [
    {"policies": ["p", "q"], "targets": ["urn:pulumi:dev::shop::pkg:m:R::a"]},
    {"policies": ["r"], "targets": ["urn:pulumi:dev::shop::pkg:m:R::b"]}]}}})",
                                            "c.json");
  REQUIRE(config.ok());
  REQUIRE(config->exceptions.size() == 1);
  const PolicyException& exception = config->exceptions[0];
  CHECK(exception.id == "EXC-1");
  CHECK(exception.reason == "later");
  REQUIRE(exception.matches.size() == 2);
  CHECK(exception.matches[0].policies == std::vector<std::string>{"p", "q"});
  CHECK(exception.matches[1].targets == std::vector<Urn>{Urn("urn:pulumi:dev::shop::pkg:m:R::b")});
}

TEST_CASE("all mistakes in exceptions are in one error, with their places") {
  struct Row {
    const char *exception, *text;
  };
  static constexpr Row kTable[] = {
      {"7", "must be an object"},
      {"{}", "\"reason\" is required"},
      {R"({"reason": " "})", "\"reason\" is required"},
      {R"({"reason": "r"})", R"("match" must list at least one {"policies", "targets"} entry)"},
      {R"({"reason": "r", "match": 1})", R"("match" must be a list of {"policies", "targets"} entries)"},
      {R"({"reason": "r", "match": [3]})", "match[0]: must be an object"},
      {R"({"reason": "r", "match": [{}]})", "match[0]: \"policies\" must list at least one policy"},
      {R"({"reason": "r", "match": [{"policies": [""]}]})", "match[0]: \"policies\" can't contain an empty name"},
      {R"({"reason": "r", "match": [{"policies": ["all"]}]})",
       "match[0]: \"policies\" must name policies; \"all\" isn't allowed"},
      {R"({"reason": "r", "match": [{"policies": "p"}]})", "match[0]: \"policies\" must be a list of strings"},
      {R"({"reason": "r", "match": [{"policies": ["p"]}]})", "match[0]: \"targets\" must list at least one URN"}};
  for (const Row& row : kTable) {
    CHECK(Refusal(std::string(R"({"version": 2, "exceptions": {"E": )") + row.exception + "}}") ==
          std::string("c.json: policy exception \"E\": ") + row.text);
  }
  CHECK(Refusal(
            R"({"version": 2, "exceptions": {"E": {"reason": "r", "match": [{"policies": ["p"], "targets": ["x"]}]}}})")
            .find("c.json: policy exception \"E\": match[0]: target \"x\" is not a valid URN: ") == 0);
  CHECK(Refusal(R"({"version": 2, "exceptions": []})") ==
        "c.json: \"exceptions\" must be an object that maps exception IDs to exceptions");
  CHECK(
      Refusal(R"({"version": 2, "exceptions": {"a b": {}, "c": {}}})") ==
      "c.json: policy exception \"a b\": the ID must be non-empty and contain only letters, digits, '-', '.' and '_'\n"
      "policy exception \"c\": \"reason\" is required");
}

}  // namespace kingpost::policy_config_test
