// SPDX-License-Identifier: Apache-2.0
// Compares the names that the engine proposes with those that the reference makes of the same seed.
#include "decisions/autonaming.h"

#include <catch2/catch.hpp>

#include "base/chacha8.h"
#include "base/encoding.h"

namespace kingpost::autonaming_test {

using decisions::Autonamer;

const std::string kSeed = "test seed";

Urn UrnOf(const std::string& type, const std::string& name = "myresource") {
  return Urn::Make("mystack", "myproject", "", type, name);
}

Result<Autonamer> Parse(const std::string& json, const std::map<std::string, std::string>& config = {}) {
  return Autonamer::Parse(json, config, "myorg", "myproject", "mystack");
}

Autonamer::Proposal ProposalOf(const std::string& json, const std::string& type = "aws:s3/bucket:Bucket") {
  Result<Autonamer> autonamer = Parse(json);
  REQUIRE(autonamer.ok());
  return autonamer->ForResource(UrnOf(type), kSeed);
}

std::string NameOf(const std::string& pattern) {
  return ProposalOf("{\"pattern\": \"" + pattern + "\"}").options->proposed_name;
}

std::string ErrorOf(const std::string& json, const std::map<std::string, std::string>& config = {}) {
  Result<Autonamer> autonamer = Parse(json, config);
  return autonamer.ok() ? "" : autonamer.status().message();
}

TEST_CASE("a seed makes the names it makes in Pulumi") {
  CHECK(NameOf("${name}-${hex(4)}") == "myresource-f93c");
  CHECK(NameOf("${name}-${alphanum(5)}") == "myresource-3ufv0");
  CHECK(NameOf("${name}-${string(6)}") == "myresource-xgtfme");
  CHECK(NameOf("${num(7)}_${name}") == "5657624_myresource");
  CHECK(NameOf("${uuid}") == "f93c359b-82a2-9def-ec84-776cd822c95a");
}

TEST_CASE("expressions of one name take random words in the order of their kinds") {
  const std::string both = NameOf("${num(3)}|${hex(4)}");
  CHECK(both.substr(4) == "f93c");
  CHECK(both != "565|f93c");
  CHECK(NameOf("${uuid}${uuid}").substr(0, 36) == NameOf("${uuid}${uuid}").substr(36));
}

TEST_CASE("a malformed expression stays as it is written") {
  CHECK(NameOf("${hex(x)}-${hex()}-${hex(2}-$name-${config.}") == "${hex(x)}-${hex()}-${hex(2}-$name-${config.}");
  CHECK(NameOf("${hex(${hex(2)}").substr(0, 6) == "${hex(");
  CHECK(NameOf("${hex(0)}").empty());
}

// The words are those of Go's math/rand/v2; the key changes after word 123.
TEST_CASE("the generator follows its specification past the change of keys") {
  std::array<uint8_t, 32> seed{};
  const std::string text = "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456";
  std::copy(text.begin(), text.end(), seed.begin());
  ChaCha8 random(seed);
  CHECK(random.Next() == 0xb773b6063d4616a5);
  CHECK(random.Next() == 0x1160af22a66abc3c);
  for (int i = 2; i < 123; ++i) random.Next();
  CHECK(random.Next() == 0x861d6c139c06c871);
  CHECK(random.Next() == 0x5f41df72e05e0487);
  for (int i = 125; i < 300; ++i) random.Next();
  CHECK(random.Next() == 0x93daeef1e2b1a485);
}

TEST_CASE("the random bytes of several calls are those of one call") {
  ChaCha8 one({}), other({});
  const std::string whole = one.Bytes(21);
  std::string parts;
  for (size_t n : {1, 7, 0, 8, 5}) parts += other.Bytes(n);
  CHECK(HexEncode(whole) == HexEncode(parts));
}

TEST_CASE("a fixed name cannot exist twice, so the old resource goes first") {
  CHECK(ProposalOf("{\"pattern\": \"x-${name}\"}").delete_before_replace);
  CHECK_FALSE(ProposalOf("{\"pattern\": \"x-${hex(1)}\"}").delete_before_replace);
  const auto verbatim = ProposalOf("{\"mode\": \"verbatim\"}");
  CHECK(verbatim.options->proposed_name == "myresource");
  CHECK(verbatim.options->mode == AutonamingMode::kEnforce);
  CHECK(verbatim.delete_before_replace);
  const auto disabled = ProposalOf("{\"mode\": \"disabled\"}");
  CHECK(disabled.options->proposed_name.empty());
  CHECK(disabled.options->mode == AutonamingMode::kDisable);
  CHECK(disabled.delete_before_replace);
}

TEST_CASE("without a setting nothing is proposed") {
  for (const char* json : {"{}", "null", "{\"mode\": \"default\"}", "{\"mode\": null}"}) {
    CHECK_FALSE(ProposalOf(json).options);
    CHECK_FALSE(ProposalOf(json).delete_before_replace);
  }
}

TEST_CASE("the type's setting goes before the provider's, and that before the default") {
  const std::string json = R"({"mode": "verbatim", "providers": {
      "aws": {"pattern": "aws-${name}", "resources": {"aws:s3/bucket:Bucket": {"pattern": "b-${name}", "enforce": true}}},
      "azure": {"resources": {"azure:a:B": {"mode": "disabled"}}},
      "gcp": {"mode": "default"}}})";
  const auto bucket = ProposalOf(json);
  CHECK(bucket.options->proposed_name == "b-myresource");
  CHECK(bucket.options->mode == AutonamingMode::kEnforce);
  CHECK(bucket.warn_if_unsupported);
  const auto object = ProposalOf(json, "aws:s3/object:Object");
  CHECK(object.options->proposed_name == "aws-myresource");
  CHECK(object.options->mode == AutonamingMode::kPropose);
  CHECK(ProposalOf(json, "azure:a:B").options->mode == AutonamingMode::kDisable);
  CHECK(ProposalOf(json, "azure:a:C").options->proposed_name == "myresource");
  CHECK_FALSE(ProposalOf(json, "gcp:a:B").options);
  const auto other = ProposalOf(json, "random:index:Id");
  CHECK(other.options->proposed_name == "myresource");
  CHECK_FALSE(other.warn_if_unsupported);
}

TEST_CASE("patterns take values of the stack and its config") {
  const std::map<std::string, std::string> config = {
      {"myproject:region", "us-west-2"}, {"myproject:tags", "{\"env\":[\"prod\"],\"n\":5}"}, {"aws:region", "eu"}};
  auto autonamer = Parse(
      "{\"pattern\": \"${organization}/${project}/${stack}/${config.region}/${config.tags.env[0]}${config.tags.n}\"}",
      config);
  REQUIRE(autonamer.ok());
  CHECK(autonamer->ForResource(UrnOf("a:b:C"), kSeed).options->proposed_name ==
        "myorg/myproject/mystack/us-west-2/prod5");
  CHECK(ErrorOf("{\"pattern\": \"${config.missing}\"}", config).find("no value found for key \"missing\"") !=
        std::string::npos);
  CHECK(ErrorOf("{\"pattern\": \"${config.[0]}\"}", config).find("no value found for key \"[0]\"") !=
        std::string::npos);
  CHECK(ErrorOf("{\"pattern\": \"${config.tags.x}\"}", config).find("\"tags.x\"") != std::string::npos);
}

TEST_CASE("mistakes are reported with the config key") {
  const auto told = [](const std::string& json, const std::string& text) {
    const std::string error = ErrorOf(json);
    INFO(json << ": " << error);
    CHECK(error.find("pulumi:autonaming") != std::string::npos);
    CHECK(error.find(text) != std::string::npos);
  };
  told("{\"mode\": \"verbatim\", \"pattern\": \"x\"}", "cannot specify both mode and pattern/enforce");
  told("{\"mode\": \"verbatim\", \"enforce\": false}", "cannot specify both mode and pattern/enforce");
  told("{\"enforce\": true}", "pattern must be specified when enforce is true");
  told("{\"mode\": \"loud\"}", "invalid naming mode: loud");
  told("{\"modes\": \"verbatim\"}", "unknown field \"modes\"");
  told("{\"providers\": {\"aws\": {\"mode\": \"x\"}}}", "for provider \"aws\": invalid naming mode: x");
  told("{\"providers\": {\"aws\": {\"resources\": {\"aws:a:B\": {}}}}}",
       "mode or pattern must be specified for resource \"aws:a:B\"");
  told("{\"providers\": {\"aws\": {\"resources\": {\"aws:a:B\": {\"mode\": \"x\"}}}}}",
       "for resource \"aws:a:B\": invalid naming mode: x");
  told("{\"pattern\": \"${hex(99999999999999999999)}\"}", "more than 4096 characters");
  told("[", "invalid autonaming config structure");
  told("\"verbatim\"", "invalid autonaming config structure");
}

}  // namespace kingpost::autonaming_test
