// SPDX-License-Identifier: Apache-2.0
#include "operation/reason_log.h"

#include <algorithm>
#include <map>

#include "base/json_access.h"
#include "decisions/step_reason.h"

namespace kingpost {

namespace {

constexpr int kReasonsVersion = 1;

using Json = nlohmann::ordered_json;
using UrnMap = std::function<Urn(const Urn&)>;

bool IsPlain(const decisions::Reason& reason) {
  return reason.properties.empty() && reason.by.empty() && !reason.cause;
}

// Causes stand before what they cause; shared ones once.
class ReasonTable {
 public:
  size_t PlaceOf(const decisions::ReasonPtr& reason) {
    std::vector<const decisions::Reason*> chain;
    for (const decisions::Reason* at = reason.get(); at && place_of_.count(at) == 0; at = at->cause.get())
      chain.push_back(at);
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) Add(**at);
    return place_of_.at(reason.get());
  }
  Json Take() { return std::move(rows_); }

 private:
  void Add(const decisions::Reason& reason) {
    Json row = {{"rule", decisions::RuleName(reason.rule)}};
    if (!reason.properties.empty()) row["properties"] = reason.properties;
    if (!reason.by.empty()) row["by"] = reason.by.str();
    if (reason.cause) row["cause"] = place_of_.at(reason.cause.get());
    place_of_.emplace(&reason, rows_.size());
    rows_.push_back(std::move(row));
  }

  Json rows_ = Json::array();
  std::unordered_map<const decisions::Reason*, size_t> place_of_;
};

Status NotReadable(const std::string& what) {
  return {Code::kDataLoss, "the reasons that were kept are not readable: " + what};
}

Result<std::vector<decisions::ReasonPtr>> DecodeTable(const Json& rows, const UrnMap& named_now) {
  std::vector<decisions::ReasonPtr> reasons;
  for (const Json& row : rows) {
    const std::optional<decisions::Rule> rule = decisions::ParseRule(TextOf(row, "rule"));
    if (!rule) return NotReadable("the rule '" + TextOf(row, "rule") + "' is unknown to this version");
    std::vector<std::string> properties;
    for (const Json& property : ListOf(row, "properties")) properties.push_back(TextIn(property));
    decisions::ReasonPtr cause;
    if (FieldOf(row, "cause")) {
      const int64_t place = IntegerOf(row, "cause");
      if (place < 0 || place >= static_cast<int64_t>(reasons.size())) return NotReadable("a cause is missing");
      cause = reasons[static_cast<size_t>(place)];
    }
    reasons.push_back(
        decisions::Because(*rule, std::move(properties), named_now(Urn(TextOf(row, "by"))), std::move(cause)));
  }
  return reasons;
}

Result<KeptStep> DecodeStep(const Json& row, const std::vector<decisions::ReasonPtr>& reasons) {
  const std::optional<StepOp> op = ParseStepOp(TextOf(row, "op"));
  if (!op) return NotReadable("the step '" + TextOf(row, "op") + "' is unknown to this version");
  KeptStep step{Urn(TextOf(row, "urn")), *op, nullptr, BoolOf(row, "failed")};
  if (!FieldOf(row, "reason")) return step;
  const int64_t place = IntegerOf(row, "reason");
  if (place < 0 || place >= static_cast<int64_t>(reasons.size())) return NotReadable("a reason is missing");
  step.because = reasons[static_cast<size_t>(place)];
  return step;
}

}  // namespace

std::string EncodeReasons(const KeptReasons& kept) {
  ReasonTable table;
  Json steps = Json::array();
  for (const KeptStep& step : kept.steps) {
    Json row = {{"urn", step.urn.str()}, {"op", StepOpName(step.op)}};
    if (step.because) row["reason"] = table.PlaceOf(step.because);
    if (step.failed) row["failed"] = true;
    steps.push_back(std::move(row));
  }
  Json document = {{"version", kReasonsVersion}, {"kind", kept.kind}};
  if (kept.preview) document["preview"] = true;
  document["time"] = kept.time_ms;
  document["result"] = kept.succeeded ? "succeeded" : "failed";
  document["providersAsked"] = kept.providers_asked;
  if (kept.unchanged) document["unchanged"] = decisions::RuleName(kept.unchanged->rule);
  document["reasons"] = table.Take();
  document["steps"] = std::move(steps);
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<KeptReasons> DecodeReasons(const std::string& bytes, const UrnMap& named_now) {
  const Json document = ParseOrderedJson(bytes);
  if (!document.is_object()) return NotReadable("this is not a JSON object");
  if (IntegerOf(document, "version") != kReasonsVersion) return NotReadable("they are of another version");
  KeptReasons kept;
  kept.kind = TextOf(document, "kind");
  kept.preview = BoolOf(document, "preview");
  kept.time_ms = IntegerOf(document, "time");
  kept.succeeded = TextOf(document, "result") == "succeeded";
  kept.providers_asked = BoolOf(document, "providersAsked");
  if (const auto rule = decisions::ParseRule(TextOf(document, "unchanged"))) kept.unchanged = decisions::Because(*rule);
  const Result<std::vector<decisions::ReasonPtr>> reasons = DecodeTable(ListOf(document, "reasons"), named_now);
  if (!reasons.ok()) return reasons.status();
  for (const Json& row : ListOf(document, "steps")) {
    Result<KeptStep> step = DecodeStep(row, *reasons);
    if (!step.ok()) return step.status();
    step->urn = named_now(step->urn);
    kept.steps.push_back(std::move(*step));
  }
  return kept;
}

void ReasonLog::Emit(const EngineEvent& event) {
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
    // A refresh reports its results at its end.
    if (pre->metadata.op != StepOp::kRefresh) Note(pre->metadata, false);
  } else if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
    Note(outputs->metadata, false);
  } else if (const auto* failed = std::get_if<ResourceFailedEvent>(&event)) {
    Note(failed->metadata, true);
  }
}

// [A refresh finds A changed, and the program leaves it as it is]: it was changed. [A is replaced]: three steps, of
// which the one in the middle is what people count.
void ReasonLog::Note(const StepMetadata& step, bool failed) {
  const bool stays = step.op == StepOp::kSame || step.op == StepOp::kRefresh;
  const int weight = stays ? 0 : step.logical ? 2 : 1;
  const auto [found, is_new] = place_of_.emplace(step.urn, steps_.size());
  if (is_new) {
    steps_.push_back({step.urn, step.op, decisions::ReasonOf(step), failed});
    weights_.push_back(weight);
    return;
  }
  KeptStep& known = steps_[found->second];
  known.failed = known.failed || failed;
  if (weight < weights_[found->second]) return;
  known.op = step.op;
  known.because = decisions::ReasonOf(step);
  weights_[found->second] = weight;
}

KeptReasons ReasonLog::Collected() const {
  const auto is_plain_same = [](const KeptStep& step) {
    return step.op == StepOp::kSame && !step.failed && step.because && IsPlain(*step.because);
  };
  std::map<decisions::Rule, int> counts;
  for (const KeptStep& step : steps_) {
    if (is_plain_same(step)) ++counts[step.because->rule];
  }
  KeptReasons kept;
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != counts.end()) kept.unchanged = decisions::Because(most->first);
  for (const KeptStep& step : steps_) {
    if (!is_plain_same(step) || step.because->rule != kept.unchanged->rule) kept.steps.push_back(step);
  }
  return kept;
}

}  // namespace kingpost
