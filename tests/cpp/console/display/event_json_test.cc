// SPDX-License-Identifier: Apache-2.0
// Checks events as JSON: exact fields and order, and no secret in them.
#include "console/display/event_json.h"

#include <catch2/catch.hpp>

#include "model/resource_fields.h"
#include "support/other_field.h"

namespace kingpost::event_json_test {

StatePtr MakeState(PropertyMap inputs) {
  State state;
  state.urn = Urn("urn:pulumi:dev::p::pkg:m:T::a");
  state.type = "pkg:m:T";
  state.custom = true;
  state.id = "i1";
  state.inputs = std::move(inputs);
  return std::make_shared<const State>(std::move(state));
}

std::string Encode(const EngineEvent& event, const Masking& masking = Masking()) {
  return EncodeEvent(event, 7, 100, masking);
}

TEST_CASE("a step is written with the fields that the format always has", "[cli]") {
  ResourcePreEvent event;
  event.metadata.op = StepOp::kCreate;
  event.metadata.urn = Urn("urn:pulumi:dev::p::pkg:m:T::a");
  event.metadata.type = "pkg:m:T";
  event.metadata.new_state = MakeState({{"n", Value(1)}});
  CHECK(Encode(event) ==
        R"({"sequence":7,"timestamp":100,"resourcePreEvent":{"metadata":{"op":"create",)"
        R"("urn":"urn:pulumi:dev::p::pkg:m:T::a","type":"pkg:m:T","old":null,"new":{"type":"pkg:m:T",)"
        R"("urn":"urn:pulumi:dev::p::pkg:m:T::a","custom":true,"id":"i1","parent":"","inputs":{"n":1},"outputs":{},)"
        R"("provider":""},"detailedDiff":null,"logical":true,"provider":""}}})");
}

TEST_CASE("an event has each option of its state", "[cli]") {
  int told = 0;
  ForEachResourceField([&](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kInState) {
      if (!field.use.in_events) return;
      State state = *MakeState({});
      testing::MakeOther(&(state.*field.state));
      ResourcePreEvent event;
      event.metadata.new_state = std::make_shared<const State>(std::move(state));
      const std::string name(field.program.empty() ? field.record : field.program);
      INFO(name);
      CHECK(Encode(event).find("\"" + name + "\":") != std::string::npos);
      ++told;
    }
  });
  CHECK(told >= 5);
}

TEST_CASE("secrets are masked wherever they stand", "[cli]") {
  AssetData asset;
  asset.text = "long text";
  asset.hash = "abc";
  const PropertyMap inputs = {{"password", Value::Secret(Value("hunter22"))},
                              {"list", Value(Array{Value::Secret(Value("hunter22"))})},
                              {"plain", Value("postgres://hunter22@host")},
                              {"asset", Value::Asset(asset)}};
  ResourceOutputsEvent event;
  event.metadata.new_state = MakeState(inputs);
  event.metadata.old_state = MakeState(inputs);
  const std::string text = Encode(event, Masking({"hunter22"}, false));
  CHECK(text.find("hunter22") == std::string::npos);
  CHECK(text.find("postgres://[secret]@host") != std::string::npos);
  CHECK(text.find(R"("ciphertext":"[secret]")") != std::string::npos);
  CHECK(text.find("long text") == std::string::npos);
  CHECK(text.find("<contents elided>") != std::string::npos);
}

TEST_CASE("secrets are shown when asked for", "[cli]") {
  ResourceOutputsEvent event;
  event.metadata.new_state = MakeState({{"password", Value::Secret(Value("hunter22"))}});
  CHECK(Encode(event, Masking({"hunter22"}, true)).find(R"("password":"hunter22")") != std::string::npos);
}

TEST_CASE("diagnostics lose colours and known secrets", "[cli]") {
  DiagnosticEvent event;
  event.message = "\x1b[31mthe password hunter22\x1b[0m";
  event.severity = Severity::kInfoErr;
  CHECK(Encode(event, Masking({"hunter22"}, false)) ==
        R"({"sequence":7,"timestamp":100,"diagnosticEvent":{"message":"the password [secret]\n","color":"never",)"
        R"("severity":"info#err"}})");
}

TEST_CASE("the summary rounds its duration up", "[cli]") {
  SummaryEvent event;
  event.duration_s = 0.2;
  event.resource_changes = {{"create", 2}};
  event.result = "succeeded";
  CHECK(Encode(event) == R"({"sequence":7,"timestamp":100,"summaryEvent":{"maybeCorrupt":false,"durationSeconds":1,)"
                         R"("resourceChanges":{"create":2},"PolicyPacks":{},"isPreview":false,"result":"succeeded"}})");
}

TEST_CASE("a short secret is not looked for in texts", "[cli]") {
  CHECK(Masking({"ab"}, false).Text("abacus") == "abacus");
  CHECK(Masking({"abc", "abcdef"}, false).Text("abcdef abc") == "[secret] [secret]");
}

}  // namespace kingpost::event_json_test
