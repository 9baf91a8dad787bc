// SPDX-License-Identifier: Apache-2.0
// Checks that an event read from another process is written again as the same text.
#include "console/display/event_reader.h"

#include <catch2/catch.hpp>

#include "base/json_access.h"
#include "console/display/event_json.h"

namespace kingpost::event_reader_test {

const Urn kUrn("urn:pulumi:dev::p::pkg:m:T::a");

std::string Written(const EngineEvent& event) { return EncodeEvent(event, 7, 100, Masking()); }

void CheckReadBack(const EngineEvent& event) {
  const std::string text = Written(event);
  INFO(text);
  const std::optional<EngineEvent> read = ReadEvent(ParseJson(text));
  REQUIRE(read);
  CHECK(read->index() == event.index());
  CHECK(Written(*read) == text);
}

StepMetadata SomeStep() {
  State before;
  before.urn = kUrn;
  before.type = "pkg:m:T";
  before.custom = true;
  before.id = "i1";
  before.protect = true;
  before.hide_diffs = {"n"};
  before.inputs = {{"n", Value(1)}, {"list", Value(Array{Value("a"), Value(true), Value()})}};
  before.outputs = {{"token", Value::Secret(Value("hunter22"))}};
  before.init_errors = {"half done"};
  State after = before;
  after.inputs = {{"n", Value(2.5)}};
  StepMetadata step;
  step.op = StepOp::kCreateReplacement;
  step.urn = kUrn;
  step.type = "pkg:m:T";
  step.old_state = std::make_shared<const State>(before);
  step.new_state = std::make_shared<const State>(after);
  step.keys = {"n"};
  step.diffs = {"n", "list"};
  step.detailed = DetailedDiff{{"n", {DiffKind::kUpdate, true}}};
  step.provider = "urn:pulumi:dev::p::pulumi:providers:pkg::default::04da6b54";
  return step;
}

TEST_CASE("steps are read as they were written, secrets as masks", "[cli]") {
  CheckReadBack(ResourcePreEvent{SomeStep(), true});
  CheckReadBack(ResourceOutputsEvent{SomeStep(), false});
  CheckReadBack(ResourceFailedEvent{SomeStep(), 1, 2, true});
  CHECK(Written(ResourcePreEvent{SomeStep(), true}).find("hunter22") == std::string::npos);
  StepMetadata bare = SomeStep();
  bare.old_state = bare.new_state = nullptr;
  bare.detailed.reset();
  CheckReadBack(ResourcePreEvent{bare, false});
}

TEST_CASE("messages, summaries and the others are read as they were written", "[cli]") {
  CheckReadBack(DiagnosticEvent{kUrn, "prefix", "two\nlines", "never", Severity::kWarning, 3, true});
  CheckReadBack(DiagnosticEvent{Urn(), "", "", "raw", Severity::kInfoErr, 0, false});
  CheckReadBack(SummaryEvent{false, true, 3, {{"create", 2}, {"same", 1}}, {{"pack", "1.0.0"}}, "succeeded"});
  CheckReadBack(PreludeEvent{{{"p:key", "value"}}});
  CheckReadBack(StdoutEvent{"text", "raw"});
  CheckReadBack(ProgressEvent{"plugin-download", "id", "Downloading", 5, 10, true});
  CheckReadBack(ErrorEvent{"broken"});
  CheckReadBack(CancelEvent());
  CheckReadBack(PolicyLoadEvent());
}

TEST_CASE("violations, remediations and policy summaries are read as they were written", "[cli]") {
  PolicyEvent violation;
  violation.urn = kUrn;
  violation.diagnostic = {"no-t", "pack", "1.0.0", "", "there is a T", EnforcementLevel::kMandatory,
                          kUrn,   "high", false};
  violation.exceptions = {{"e1", "reviewed"}};
  CheckReadBack(violation);
  PolicyRemediationEvent remediation;
  remediation.urn = kUrn;
  remediation.remediation.policy = "tags";
  remediation.remediation.pack = "pack";
  remediation.before = {{"n", Value(1)}};
  remediation.after = {{"n", Value(2)}};
  CheckReadBack(remediation);
  CheckReadBack(PolicyAnalyzeSummaryEvent{kUrn, "pack", "1.0.0", {"a"}, {"b"}});
  CheckReadBack(PolicyRemediateSummaryEvent{kUrn, "pack", "1.0.0", {}, {"b"}});
  CheckReadBack(PolicyAnalyzeStackSummaryEvent{"pack", "1.0.0", {"a"}, {}});
}

TEST_CASE("a document that is not an event is refused", "[cli]") {
  for (const char* text : {"", "hello", "[]", "{\"sequence\":1}", "{\"diagnosticEvent\":", "{\"newEvent\":{}}"}) {
    CHECK_FALSE(ReadEvent(ParseJson(text)));
  }
  // Another kind than expected reads as nothing.
  REQUIRE(ReadEvent(
      ParseJson("{\"resourcePreEvent\":{\"metadata\":{\"op\":7,\"new\":[],\"old\":\"x\",\"detailedDiff\":3}}}")));
}

}  // namespace kingpost::event_reader_test
