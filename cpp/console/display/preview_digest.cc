// SPDX-License-Identifier: Apache-2.0
// The output of `preview --json`: one document with every step, so that a program can read it as a whole.
#include <unistd.h>

#include <unordered_map>

#include "console/display/event_log.h"
#include "console/display/output.h"
#include "console/display/reason_json.h"
#include "console/display/show_options.h"
#include "console/display/terminal.h"
#include "model/deployment_json.h"
#include "model/json_writer.h"
#include "model/secret_sides.h"

namespace kingpost {

namespace {

struct DigestDiagnostic {
  Urn urn;
  std::string message;
  Severity severity;
};

class PreviewDigest : public EventConsumer {
 public:
  PreviewDigest(std::shared_ptr<const Masking> masking, ShowOptions show, TextSink sink)
      : masking_(std::move(masking)), show_(show), sink_(std::move(sink)) {
    show_.reads = true;  // the flag is about the display
  }

  void Consume(const EngineEvent& event) override {
    if (const auto* prelude = std::get_if<PreludeEvent>(&event)) {
      config_ = prelude->config;
    } else if (const auto* diagnostic = std::get_if<DiagnosticEvent>(&event)) {
      if (diagnostic->ephemeral || diagnostic->severity == Severity::kDebug) return;
      const std::string text = masking_->Text(StripAnsi(diagnostic->prefix + diagnostic->message)) + "\n";
      diagnostics_.push_back({diagnostic->urn, text, diagnostic->severity});
    } else if (const auto* stdout_event = std::get_if<StdoutEvent>(&event)) {
      diagnostics_.push_back({Urn(), masking_->Text(StripAnsi(stdout_event->message)), Severity::kInfo});
    } else if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
      const StepMetadata& step = pre->metadata;
      if (step.internal || !(IsRootStack(step) || ShouldList(step, show_))) return;
      step_of_[pre->metadata.urn] = steps_.size();
      steps_.push_back(pre->metadata);
    } else if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
      HideFoundSecrets(outputs->metadata);
      ReplaceRefresh(outputs->metadata);
    } else if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
      summary_ = *summary;
    }
  }

  void Finish() override {
    JsonWriter json("    ");
    json.BeginObject();
    if (!config_.empty()) {
      json.Key("config");
      json.TextMap(config_);
    }
    WriteSteps(&json);
    WriteDiagnostics(&json);
    json.IntUnlessZero("duration", static_cast<int64_t>(summary_.duration_s * 1e9));
    if (!summary_.resource_changes.empty()) {
      json.Key("changeSummary");
      json.IntMap(summary_.resource_changes);
    }
    json.BoolIfTrue("maybeCorrupt", summary_.maybe_corrupt);
    json.EndObject();
    Output(STDOUT_FILENO, sink_).Write(PrintableJson(json.str()) + "\n");
  }

 private:
  // A step begins without knowing which of its outputs are going to be secret; its end says.
  void HideFoundSecrets(const StepMetadata& ended) {
    const auto found = step_of_.find(ended.urn);
    if (found == step_of_.end()) return;
    StatePtr told = ended.new_state;
    ShareSecrets(&steps_[found->second].old_state, &told);
  }

  // A refresh begins without knowing what it will find; its end says.
  void ReplaceRefresh(const StepMetadata& metadata) {
    const auto found = step_of_.find(metadata.urn);
    if (found == step_of_.end() || steps_[found->second].op != StepOp::kRefresh) return;
    const bool changed = (metadata.op == StepOp::kUpdate && metadata.detailed) || metadata.op == StepOp::kDelete;
    if (changed) steps_[found->second] = metadata;
  }

  void WriteSteps(JsonWriter* json) const {
    if (steps_.empty()) return;
    json->Key("steps");
    json->BeginArray();
    for (const StepMetadata& step : steps_) WriteStep(step, json);
    json->EndArray();
  }

  void WriteStep(const StepMetadata& step, JsonWriter* json) const {
    json->BeginObject();
    json->Key("op");
    json->Text(StepOpName(step.op));
    json->Key("urn");
    json->Text(step.urn.str());
    json->TextUnlessEmpty("provider", step.provider);
    WriteState("oldState", step.old_state, json);
    WriteState("newState", step.new_state, json);
    json->TextsUnlessEmpty("diffReasons", step.diffs);
    json->TextsUnlessEmpty("replaceReasons", step.keys);
    json->Key("detailedDiff");
    WriteDetailed(step.detailed, json);
    if (step.because) {
      json->Key("because");
      WriteReason(*step.because, json);
    }
    json->EndObject();
  }

  static void WriteDetailed(const std::optional<DetailedDiff>& detailed, JsonWriter* json) {
    if (!detailed) return json->Null();
    json->BeginObject();
    for (const auto& [path, diff] : *detailed) {
      json->Key(path);
      json->BeginObject();
      json->Key("kind");
      json->Text(DiffKindName(diff.kind));
      json->Key("inputDiff");
      json->Bool(diff.input_diff);
      json->EndObject();
    }
    json->EndObject();
  }

  PropertyMap Shown(const PropertyMap& properties, const State& state) const {
    if (show_.suppress_outputs && state.type == kRootStackType) return {};
    // Here a secret is the plain string "[secret]".
    return StripSecretsAndOutputs(masking_->Properties(properties));
  }

  void WriteState(const char* key, const StatePtr& state, JsonWriter* json) const {
    if (!state) return;
    State shown = *state;
    shown.inputs = Shown(state->inputs, *state);
    shown.outputs = Shown(state->outputs, *state);
    shown.init_errors = masking_->Texts(state->init_errors);
    shown.replacement_trigger = StripSecretsAndOutputs(MaskSecrets(state->replacement_trigger));
    const Result<std::string> encoded = EncodeState(shown, EncodeOptions());
    if (!encoded.ok()) return;
    json->Key(key);
    json->Json(*encoded);
  }

  void WriteDiagnostics(JsonWriter* json) const {
    if (diagnostics_.empty()) return;
    json->Key("diagnostics");
    json->BeginArray();
    for (const DigestDiagnostic& diagnostic : diagnostics_) {
      json->BeginObject();
      json->TextUnlessEmpty("urn", diagnostic.urn.str());
      json->TextUnlessEmpty("message", diagnostic.message);
      json->TextUnlessEmpty("severity", SeverityName(diagnostic.severity));
      json->EndObject();
    }
    json->EndArray();
  }

  const std::shared_ptr<const Masking> masking_;
  ShowOptions show_;
  const TextSink sink_;
  std::map<std::string, std::string> config_;
  std::vector<StepMetadata> steps_;
  std::unordered_map<Urn, size_t> step_of_;
  std::vector<DigestDiagnostic> diagnostics_;
  SummaryEvent summary_;
};

}  // namespace

std::unique_ptr<EventConsumer> NewPreviewDigest(std::shared_ptr<const Masking> masking, ShowOptions show,
                                                TextSink sink) {
  return std::make_unique<PreviewDigest>(std::move(masking), show, std::move(sink));
}

}  // namespace kingpost
