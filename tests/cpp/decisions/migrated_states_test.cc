// SPDX-License-Identifier: Apache-2.0
// Checks the states that callbacks of state migrations get and return.
#include "decisions/migrated_states.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::migrated_states_test {

using namespace plan_test;
using namespace decisions;

std::string Refusal(const std::string& json) { return DecodeFromCallback(json).status().message(); }

std::string WithField(const std::string& field) {
  return R"([{"urn":")" + UrnOf("a").str() + R"(","custom":true,"id":"1","type":"pkg:m:Typ",)" + field + "}]";
}

TEST_CASE("a callback sees secrets in plaintext, and its result is decoded to the same state") {
  State state = StateOf("a");
  SecretData secret;
  secret.element = Value("hidden");
  secret.ciphertext = "c2VhbGVk";
  state.inputs = {{"s", Value::Secret(secret)}, {"n", 1.5}};
  state.created = "2026-01-01T00:00:00.5Z";
  state.custom_timeouts.create_s = 60;
  state.stack_trace = {"project:///main.py#1"};
  state.property_dependencies = {{"n", {}}};
  const std::vector<StatePtr> states = {Share(state), Share(StateOf("b"))};
  const Result<std::string> json = EncodeForCallback(states);
  REQUIRE(json.ok());
  CHECK(json->find("\"plaintext\":\"\\\"hidden\\\"\"") != std::string::npos);
  CHECK(json->find("c2VhbGVk") == std::string::npos);
  const auto read = DecodeFromCallback(*json);
  REQUIRE(read.ok());
  CHECK(AreEquivalent(states, *read));
  CHECK((*read)[0]->inputs.Find("s")->is_secret());
  CHECK((*read)[0]->inputs.Find("s")->as_secret().ciphertext == "");
}

TEST_CASE("absent and empty fields mean the same; another order of resources does not") {
  const StatePtr a = Share(StateOf("a")), b = Share(StateOf("b"));
  const auto read = DecodeFromCallback(WithField(R"("dependencies":null,"inputs":{},"protect":false)"));
  REQUIRE(read.ok());
  State plain = StateOf("a");
  plain.id = "1";
  CHECK(AreEquivalent(*read->front(), plain));
  CHECK_FALSE(AreEquivalent({a, b}, {b, a}));
  CHECK_FALSE(AreEquivalent({a}, {a, b}));
}

TEST_CASE("unknown fields are refused, at the levels whose fields are known") {
  CHECK(Refusal(WithField(R"("colour":"red")")) == "json: unknown field \"colour\"");
  CHECK(Refusal(WithField(R"("customTimeouts":{"duration":1})")) == "json: unknown field \"duration\"");
  CHECK(Refusal(WithField(R"("stackTrace":[{"position":"x"}])")) == "json: unknown field \"position\"");
  CHECK(Refusal(WithField(R"("inputs":{"colour":"red"})")) == "");
  CHECK(Refusal(WithField(R"("deleteBeforeReplace":true)")) == "json: unknown field \"deleteBeforeReplace\"");
}

TEST_CASE("a result that is not a JSON array of resources is refused") {
  CHECK(Refusal("[]") == "");
  CHECK(Refusal("null") == "");
  CHECK_FALSE(Refusal("{}").empty());
  CHECK_FALSE(Refusal("[1]").empty());
  CHECK_FALSE(Refusal("[] []").empty());
  CHECK_FALSE(Refusal("[").empty());
  CHECK_FALSE(Refusal(WithField(R"("protect":"yes")")).empty());
}

TEST_CASE("a ciphertext that a callback returns is refused, and the error does not show it") {
  const std::string secret =
      R"({"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"Q"})";
  const std::string text = "resource " + UrnOf("a").str() + " holds a secret with a ciphertext";
  CHECK(Refusal(WithField(R"("inputs":{"s":)" + secret + "}")).starts_with(text));
  CHECK(Refusal(WithField(R"("outputs":{"l":[)" + secret + "]}")).starts_with(text));
}

TEST_CASE("a sealed secret cannot be passed to a callback") {
  SecretData sealed;
  sealed.ciphertext = "c2VhbGVk";
  sealed.sealed = true;
  State state = StateOf("a");
  state.inputs = {{"s", Value::Secret(sealed)}};
  CHECK(EncodeForCallback({Share(state)}).status().message().starts_with("serializing state of " + state.urn.str()));
}

}  // namespace kingpost::migrated_states_test
