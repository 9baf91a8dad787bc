// SPDX-License-Identifier: Apache-2.0
// Checks which reasons of a run are kept, and that reading the log returns them as written.
#include "operation/reason_log.h"

#include <catch2/catch.hpp>

#include "operation/kept_reasons.h"

namespace kingpost::reason_log_test {

using decisions::Because;
using decisions::Reason;
using decisions::ReasonPtr;
using decisions::Rule;

Urn UrnOf(const std::string& name) { return Urn("urn:pulumi:dev::shop::pkg:index:Thing::" + name); }
Urn AsItWas(const Urn& urn) { return urn; }

StepMetadata StepOf(StepOp op, const std::string& name, ReasonPtr because, bool logical = true) {
  StepMetadata step;
  step.op = op;
  step.urn = UrnOf(name);
  step.because = std::move(because);
  step.logical = logical;
  return step;
}

void Begin(ReasonLog* log, const StepMetadata& step) { log->Emit(ResourcePreEvent{step, false}); }

// "replace web: input-replaced[host] by db, not-in-place[zone]"
std::string Told(const KeptStep& step) {
  std::string text = std::string(StepOpName(step.op)) + " " + std::string(step.urn.name()) + ":";
  for (const Reason* at = step.because.get(); at; at = at->cause.get()) {
    text += " " + std::string(RuleName(at->rule)) + "[";
    for (const std::string& property : at->properties) text += property + " ";
    text += "]" + (at->by.empty() ? "" : " by " + std::string(at->by.name()) + ",");
  }
  return text + (step.failed ? " failed" : "");
}

std::vector<std::string> Told(const KeptReasons& kept) {
  std::vector<std::string> texts;
  for (const KeptStep& step : kept.steps) texts.push_back(Told(step));
  return texts;
}

TEST_CASE("reasons are read as they were written, with their causes", "[operation]") {
  ReasonLog log;
  const ReasonPtr zone = Because(Rule::kNotInPlace, {"zone"});
  const ReasonPtr host = Because(Rule::kInputReplaced, {"host"}, UrnOf("db"), zone);
  Begin(&log, StepOf(StepOp::kReplace, "web", Because(Rule::kInputReplaced, {"app"}, UrnOf("app"), host)));
  Begin(&log, StepOf(StepOp::kReplace, "app", host));
  Begin(&log, StepOf(StepOp::kReplace, "db", zone));
  Begin(&log, StepOf(StepOp::kUpdate, "view", nullptr));
  Begin(&log, StepOf(StepOp::kUpdate, "size", Because(Rule::kInputsChanged, {"size"})));
  log.Emit(ResourceFailedEvent{StepOf(StepOp::kUpdate, "size", Because(Rule::kInputsChanged, {"size"})), 0, 0});
  KeptReasons kept = log.Collected();
  kept.kind = "update";
  kept.preview = true;
  kept.time_ms = 1795347000123;
  kept.succeeded = true;
  const std::string bytes = EncodeReasons(kept);
  // Reasons that several share stand there once.
  CHECK(bytes.find("not-in-place") == bytes.rfind("not-in-place"));
  const Result<KeptReasons> read = DecodeReasons(bytes, AsItWas);
  REQUIRE(read.ok());
  CHECK(Told(*read) == std::vector<std::string>{
                           "replace web: input-replaced[app ] by app, input-replaced[host ] by db, not-in-place[zone ]",
                           "replace app: input-replaced[host ] by db, not-in-place[zone ]",
                           "replace db: not-in-place[zone ]",
                           "update view:", "update size: inputs-changed[size ] failed"});
  CHECK(read->kind == "update");
  CHECK(read->preview);
  CHECK(read->time_ms == 1795347000123);
  CHECK(read->succeeded);
  CHECK_FALSE(read->providers_asked);
  CHECK(read->unchanged == nullptr);
}

TEST_CASE("an unchanged resource is not recorded, unless its reason is an unusual one", "[operation]") {
  ReasonLog log;
  for (int i = 0; i < 1000; ++i) {
    Begin(&log, StepOf(StepOp::kSame, "same-" + std::to_string(i), Because(Rule::kInputsEqual)));
  }
  Begin(&log, StepOf(StepOp::kSame, "out", Because(Rule::kNotTargeted)));
  Begin(&log, StepOf(StepOp::kSame, "near", Because(Rule::kProviderSeesNoChange, {"case"})));
  Begin(&log, StepOf(StepOp::kCreate, "new", Because(Rule::kNew)));
  const KeptReasons kept = log.Collected();
  CHECK(Told(kept) == std::vector<std::string>{"same out: not-targeted[]", "same near: provider-sees-no-change[case ]",
                                               "create new: new[]"});
  CHECK(kept.unchanged->rule == Rule::kInputsEqual);
  const Result<KeptReasons> read = DecodeReasons(EncodeReasons(kept), AsItWas);
  REQUIRE(read.ok());
  CHECK(read->unchanged->rule == Rule::kInputsEqual);
}

TEST_CASE("the log keeps the main reason among several steps of one resource", "[operation]") {
  ReasonLog log;
  const ReasonPtr zone = Because(Rule::kNotInPlace, {"zone"});
  SECTION("a replacement outweighs its halves") {
    Begin(&log, StepOf(StepOp::kDeleteReplaced, "a", Because(Rule::kSupersededState), false));
    Begin(&log, StepOf(StepOp::kReplace, "a", zone));
    Begin(&log, StepOf(StepOp::kCreateReplacement, "a", Because(Rule::kNew), false));
    CHECK(Told(log.Collected()) == std::vector<std::string>{"replace a: not-in-place[zone ]"});
  }
  SECTION("a change found by a refresh outweighs a same of the program") {
    Begin(&log, StepOf(StepOp::kRefresh, "a", Because(Rule::kRefreshed)));
    StepMetadata found = StepOf(StepOp::kUpdate, "a", Because(Rule::kRefreshed));
    found.detailed = DetailedDiff{{"size", PropertyDiff{}}};
    log.Emit(ResourceOutputsEvent{found, false});
    Begin(&log, StepOf(StepOp::kSame, "a", Because(Rule::kInputsEqual)));
    CHECK(Told(log.Collected()) == std::vector<std::string>{"update a: refreshed[size ]"});
  }
  SECTION("a decision of the program outweighs what a refresh found") {
    log.Emit(ResourceOutputsEvent{StepOf(StepOp::kUpdate, "a", Because(Rule::kRefreshed)), false});
    Begin(&log, StepOf(StepOp::kReplace, "a", zone));
    CHECK(Told(log.Collected()) == std::vector<std::string>{"replace a: not-in-place[zone ]"});
  }
}

TEST_CASE("a renamed stack's reasons have its new URNs", "[operation]") {
  ReasonLog log;
  Begin(&log,
        StepOf(StepOp::kReplace, "web", Because(Rule::kLinkedToReplaced, {}, UrnOf("db"), Because(Rule::kTainted))));
  const auto store = NewMemoryStore();
  const StackName dev{"organization", "shop", "dev"}, prod{"organization", "store", "prod"};
  REQUIRE(store->Save(dev, "{}").ok());
  CHECK_FALSE(*LastReasons(*store, dev));
  REQUIRE(store->SaveReasons(dev, ReasonsKind::kOperation, EncodeReasons(log.Collected())).ok());
  REQUIRE(store->Rename(dev, prod, "{}").ok());
  const Result<std::optional<KeptReasons>> kept = LastReasons(*store, prod);
  REQUIRE(kept.ok());
  REQUIRE(*kept);
  CHECK((*kept)->steps[0].urn.str() == "urn:pulumi:prod::store::pkg:index:Thing::web");
  CHECK((*kept)->steps[0].because->by.str() == "urn:pulumi:prod::store::pkg:index:Thing::db");
}

TEST_CASE("the last reasons are those of the preview or operation that ended later", "[operation]") {
  const auto store = NewMemoryStore();
  const StackName dev{"organization", "shop", "dev"};
  REQUIRE(store->Save(dev, "{}").ok());
  const auto save = [&](ReasonsKind of, int64_t time_ms) {
    KeptReasons kept;
    kept.preview = of == ReasonsKind::kPreview;
    kept.time_ms = time_ms;
    REQUIRE(store->SaveReasons(dev, of, EncodeReasons(kept)).ok());
    return (*LastReasons(*store, dev))->preview;
  };
  CHECK(save(ReasonsKind::kPreview, 5));
  CHECK_FALSE(save(ReasonsKind::kOperation, 6));
  CHECK(save(ReasonsKind::kPreview, 7));
  CHECK_FALSE(save(ReasonsKind::kOperation, 7));
}

TEST_CASE("damaged reasons, and those of a later version, are refused", "[operation]") {
  const auto refused = [](const std::string& bytes) { return DecodeReasons(bytes, AsItWas).status().message(); };
  const std::string reasons =
      R"({"version":1,"reasons":[{"rule":"new"}],"steps":[{"urn":"u","op":"create","reason":0}]})";
  CHECK(DecodeReasons(reasons, AsItWas).ok());
  CHECK(refused("{") == "the reasons that were kept are not readable: this is not a JSON object");
  CHECK(refused(R"({"version":2})") == "the reasons that were kept are not readable: they are of another version");
  CHECK(refused(R"({"version":1,"reasons":[{"rule":"moon"}]})") ==
        "the reasons that were kept are not readable: the rule 'moon' is unknown to this version");
  CHECK(refused(R"({"version":1,"reasons":[{"rule":"new","cause":0}]})") ==
        "the reasons that were kept are not readable: a cause is missing");
  CHECK(refused(R"({"version":1,"steps":[{"urn":"u","op":"create","reason":0}]})") ==
        "the reasons that were kept are not readable: a reason is missing");
  CHECK(refused(R"({"version":1,"steps":[{"urn":"u","op":"moonwalk"}]})") ==
        "the reasons that were kept are not readable: the step 'moonwalk' is unknown to this version");
}

}  // namespace kingpost::reason_log_test
