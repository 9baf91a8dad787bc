// SPDX-License-Identifier: Apache-2.0
// The output of --output json: one line, for programs that need only the outcome.
//
//   {"result":"succeeded","duration":1305597296,"summary":{"create":1},"resources":[{"urn":..,"op":"create"}]}
#include <unistd.h>

#include "console/display/event_log.h"
#include "console/display/output.h"
#include "console/display/show_options.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

class SummaryLine : public EventConsumer {
 public:
  SummaryLine(ShowOptions show, TextSink sink) : show_(show), sink_(std::move(sink)) {}

  void Consume(const EngineEvent& event) override {
    if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
      const StepMetadata& step = pre->metadata;
      if (!step.internal && (step.op != StepOp::kSame || show_.sames)) steps_.push_back(step);
    } else if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
      Print(*summary);
    }
  }

 private:
  void Print(const SummaryEvent& summary) const {
    JsonWriter json;
    json.BeginObject();
    json.Key("result");
    json.Text(summary.result);
    json.Key("duration");
    json.Int(static_cast<int64_t>(summary.duration_s * 1e9));
    if (!summary.resource_changes.empty()) {
      json.Key("summary");
      json.IntMap(summary.resource_changes);
    }
    WriteResources(&json);
    json.EndObject();
    Output(STDOUT_FILENO, sink_).Write(json.str() + "\n");
  }

  void WriteResources(JsonWriter* json) const {
    if (steps_.empty()) return;
    json->Key("resources");
    json->BeginArray();
    for (const StepMetadata& step : steps_) {
      const StatePtr& state = step.new_state ? step.new_state : step.old_state;
      json->BeginObject();
      const std::pair<const char*, std::string_view> texts[] = {
          {"urn", step.urn.str()}, {"type", step.urn.type()}, {"name", step.urn.name()}, {"op", StepOpName(step.op)}};
      for (const auto& [key, text] : texts) {
        json->Key(key);
        json->Text(text);
      }
      json->TextUnlessEmpty("parent", state ? state->parent.str() : "");
      json->EndObject();
    }
    json->EndArray();
  }

  const ShowOptions show_;
  const TextSink sink_;
  std::vector<StepMetadata> steps_;
};

}  // namespace

std::unique_ptr<EventConsumer> NewSummaryLine(ShowOptions show, TextSink sink) {
  return std::make_unique<SummaryLine>(show, std::move(sink));
}

}  // namespace kingpost
