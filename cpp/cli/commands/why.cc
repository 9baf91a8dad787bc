// SPDX-License-Identifier: Apache-2.0
// why: why the last operation or preview did what it did with one resource, down to the first cause.
#include <algorithm>
#include <set>

#include "base/command_name.h"
#include "base/edit_distance.h"
#include "base/json_access.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/explanation.h"
#include "console/display/reason_json.h"
#include "console/display/terminal.h"
#include "operation/kept_reasons.h"

namespace kingpost {

namespace {

constexpr size_t kNamesOffered = 3;
constexpr size_t kExchangeCost = 2;  // of one letter for another, as Pulumi counts

struct WhyOptions {
  std::string stack, resource;
  bool json = false;
};

struct WhyKnown {
  KeptReasons kept;
  Snapshot snapshot;  // as it is recorded now
};

// The report about one resource.
struct WhyAnswer {
  Urn urn;
  std::string type;
  StepOp op = StepOp::kSame;
  bool failed = false;
  decisions::ReasonPtr because;  // null if no decision was made
  std::string said;              // the decision in a line
};

// The present and former resources: users ask for deleted ones as well.
std::set<Urn> UrnsOf(const WhyKnown& known) {
  std::set<Urn> urns;
  for (const KeptStep& step : known.kept.steps) urns.insert(step.urn);
  for (const StatePtr& state : known.snapshot.resources) urns.insert(state->urn);
  return urns;
}

Status NoResourceCalled(const std::string& resource, const std::set<Urn>& urns) {
  std::string message = "neither this stack nor its last operation has a resource \"" + resource + "\"";
  const bool by_urn = resource.starts_with("urn:");
  const size_t distance_max = std::max<size_t>(2, resource.size() / 4);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const Urn& urn : urns) {
    const std::string text = by_urn ? urn.str() : std::string(urn.name());
    const size_t distance = EditDistance(resource, text, kExchangeCost);
    if (distance <= distance_max) ranked.emplace_back(distance, text);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  if (!ranked.empty()) message += "\nDid you mean:";
  for (size_t i = 0; i < std::min(ranked.size(), kNamesOffered); ++i) message += "\n  " + ranked[i].second;
  return Fail(ExitCode::kFailed,
              message + "\n" + QuotedCommand("stack --show-urns") + " lists the resources of the stack");
}

Result<Urn> FindResource(const std::string& resource, const WhyKnown& known) {
  const std::set<Urn> urns = UrnsOf(known);
  if (urns.count(Urn(resource)) > 0) return Urn(resource);
  std::vector<Urn> named;
  for (const Urn& urn : urns) {
    if (urn.name() == resource) named.push_back(urn);
  }
  if (named.size() == 1) return named[0];
  if (named.empty()) return NoResourceCalled(resource, urns);
  std::string message = "\"" + resource + "\" is the name of " + std::to_string(named.size()) +
                        " resources; pass the URN of one of them:";
  for (const Urn& urn : named) message += "\n  " + urn.str();
  return Fail(ExitCode::kFailed, message);
}

std::string RunText(const KeptReasons& kept) {
  return kept.preview
             ? "preview of " + std::string(kept.kind == "import" || kept.kind == "update" ? "an " : "a ") + kept.kind
             : kept.kind;
}

// Unchanged resources share one usual reason.
void AnswerUnchanged(const WhyKnown& known, WhyAnswer* answer) {
  const KeptReasons& kept = known.kept;
  if (!kept.succeeded) {
    answer->said = "no step: the " + RunText(kept) + " failed before it reached this resource";
    return;
  }
  if (!kept.unchanged) {
    answer->said = "no step: the " + RunText(kept) + " did not reach this resource";
    return;
  }
  answer->because = kept.unchanged;
  answer->said = DecisionText(StepOp::kSame, *kept.unchanged);
  const auto state = std::find_if(known.snapshot.resources.begin(), known.snapshot.resources.end(),
                                  [&](const StatePtr& state) { return state->urn == answer->urn; });
  const bool has_provider = state != known.snapshot.resources.end() && (*state)->custom;
  if (kept.unchanged->rule != decisions::Rule::kInputsEqual || !has_provider) return;
  answer->said += kept.providers_asked ? "; the provider was asked" : "; the provider was not asked";
}

WhyAnswer AnswerFor(const Urn& urn, const WhyKnown& known) {
  WhyAnswer answer;
  answer.urn = urn;
  answer.type = std::string(urn.type());
  const auto& steps = known.kept.steps;
  const auto step = std::find_if(steps.begin(), steps.end(), [&](const KeptStep& step) { return step.urn == urn; });
  if (step == steps.end()) {
    AnswerUnchanged(known, &answer);
    return answer;
  }
  answer.op = step->op;
  answer.failed = step->failed;
  answer.because = step->because;
  answer.said = step->because ? DecisionText(step->op, *step->because, step->failed)
                              : std::string(StepOpName(step->op)) + ": shown by the provider, which gives no reason";
  return answer;
}

std::string AnswerText(const WhyAnswer& answer, const KeptReasons& kept, const Painter& painter) {
  std::string text = painter.Bold(Printable(answer.urn.name())) + " (" + Printable(answer.type) + ") in the last " +
                     RunText(kept) + ", " + AgoText(kept.time_ms) + ":\n";
  text += "    " + answer.said + (answer.failed ? "; this failed" : "") + "\n";
  if (!answer.because) return text;
  for (const std::string& cause : CauseTexts(*answer.because)) text += "    " + cause + "\n";
  return text;
}

// Each link with the resource that it is about, from the one that was asked for to the first cause.
void WriteChain(const WhyAnswer& answer, JsonWriter* json) {
  json->Key("chain");
  json->BeginArray();
  Urn urn = answer.urn;
  for (const decisions::Reason* at = answer.because.get(); at; at = at->cause.get()) {
    json->BeginObject();
    json->Key("urn");
    json->Text(urn.str());
    json->Key("because");
    WriteReason(*at, json);
    json->EndObject();
    urn = at->by;
  }
  json->EndArray();
}

std::string AnswerJson(const WhyAnswer& answer, const KeptReasons& kept) {
  JsonWriter json("  ");
  json.BeginObject();
  json.Key("urn");
  json.Text(answer.urn.str());
  json.Key("type");
  json.Text(answer.type);
  json.Key("kind");
  json.Text(kept.kind);
  json.Key("preview");
  json.Bool(kept.preview);
  json.Key("time");
  json.Text(ApiTime(kept.time_ms));
  json.Key("result");
  json.Text(kept.succeeded ? "succeeded" : "failed");
  json.Key("op");
  json.Text(StepOpName(answer.op));
  json.BoolIfTrue("failed", answer.failed);
  json.Key("said");
  json.Text(answer.said);
  WriteChain(answer, &json);
  json.EndObject();
  return PrintableJson(json.str()) + "\n";
}

// Commands of other tools write the history, and no reasons.
void TellIfOlder(Session& session, StateStore& store, const StackName& stack, const KeptReasons& kept) {
  const Result<std::vector<std::string>> newest = store.ReadHistory(stack, 1, 1);
  if (!newest.ok() || newest->empty()) return;
  const nlohmann::json record = ParseJson(newest->front());
  if (IntegerOf(record, "endTime") * 1000 <= kept.time_ms) return;
  session.Warn("since then there was an operation (" + TextOf(record, "kind") + ") that kept no reasons");
}

Result<KeptReasons> ReasonsOfLastRun(Session& session, const StackName& stack) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  Result<std::optional<KeptReasons>> kept = LastReasons(**store, stack);
  if (!kept.ok()) return kept.status();
  if (!*kept) {
    return Fail(ExitCode::kFailed, "no reasons are kept for stack " + session.ShortName(stack) + " yet: run " +
                                       QuotedCommand("preview") + " or " + QuotedCommand("up") + " first");
  }
  TellIfOlder(session, **store, stack, **kept);
  return std::move(**kept);
}

Status RunWhy(Session& session, const WhyOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  Result<KeptReasons> kept = ReasonsOfLastRun(session, *stack);
  if (!kept.ok()) return kept.status();
  Result<Snapshot> snapshot = ReadSnapshot(session, *stack);
  if (!snapshot.ok()) return snapshot.status();
  const WhyKnown known{std::move(*kept), std::move(*snapshot)};
  const Result<Urn> urn = FindResource(options.resource, known);
  if (!urn.ok()) return urn.status();
  const WhyAnswer answer = AnswerFor(*urn, known);
  if (options.json) {
    session.Print(AnswerJson(answer, known.kept));
  } else {
    session.Say(AnswerText(answer, known.kept, session.painter()));
  }
  return Status::Ok();
}

}  // namespace

void AddWhyCommand(Commands* commands) {
  commands->push_back({"why", "Say why a resource was changed, or was not", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<WhyOptions>();
                         flags.Argument("URN|NAME", &options->resource, "The resource", true);
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         DeclareJson(flags, std::shared_ptr<bool>(options, &options->json));
                         return [options](Session& session) { return RunWhy(session, *options); };
                       }});
}

}  // namespace kingpost
