// SPDX-License-Identifier: Apache-2.0
// One report of all stacks, for programs and for pull requests. What is said of a stack meanwhile goes to standard
// error, with its name.
#include <unistd.h>

#include "console/display/event_log.h"
#include "console/display/markdown_report.h"
#include "console/display/markdown_text.h"
#include "console/fleet/fleet_base.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

class FleetReport : public FleetScreenBase {
 public:
  explicit FleetReport(FleetScreenOptions show)
      : FleetScreenBase(std::move(show)), reports_(rows_.size()), errors_(STDERR_FILENO) {}

  std::unique_ptr<EventConsumer> Display(size_t stack, std::shared_ptr<const Masking> masking) override {
    const TextSink sink = [this, stack](std::string_view text) { Take(stack, text); };
    Forget(stack);
    switch (show_.format) {
      case FleetFormat::kMarkdown:
        return NewMarkdownReport(PartOf(stack, std::move(masking), sink));
      case FleetFormat::kJsonEvents:
        // The digest of a preview is a document: secrets stay masked in it whatever the flags say.
        if (show_.preview) return NewPreviewDigest(std::move(masking), show_.show, sink);
        return NewEventStream(std::move(masking), sink);
      default:
        return NewSummaryLine(show_.show, sink);
    }
  }

  void Changed(size_t stack, FleetPhase phase, std::vector<std::string> waits_for) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    Note(stack, phase, std::move(waits_for));
  }

  void Ended(size_t stack, FleetOutcome outcome) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    Note(stack, std::move(outcome));
  }

  void Say(size_t stack, const std::string& text) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    errors_.Write(NameOf(stack) + ": " + text + (text.ends_with('\n') ? "" : "\n"));
  }

  void Finish() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    Output(show_.fd).Write(show_.format == FleetFormat::kMarkdown ? Markdown() : PrintableJson(Json()) + "\n");
  }

 private:
  bool IsStream() const { return show_.format == FleetFormat::kJsonEvents && !show_.preview; }

  // Drops the output of a run that another worker begins anew.
  void Forget(size_t stack) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reports_[stack].clear();
  }

  // Events are passed on as they come, each with its stack; documents are kept.
  void Take(size_t stack, std::string_view text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!IsStream()) {
      reports_[stack] += text;
      return;
    }
    JsonWriter json;
    json.BeginObject();
    json.Key("stack");
    json.Text(NameOf(stack));
    json.Key("event");
    json.Json(text.substr(0, text.find_last_not_of('\n') + 1));
    json.EndObject();
    Output(show_.fd).Write(json.str() + "\n");
  }

  std::string Json() const {
    const std::vector<FleetOutcome> outcomes = Outcomes();
    JsonWriter json;
    json.BeginObject();
    json.Key("result");
    json.Text(FleetResult(outcomes));
    json.Key("duration");
    json.Int(std::chrono::duration_cast<std::chrono::nanoseconds>(Elapsed()).count());
    json.Key("summary");
    std::map<std::string, int> summary;
    for (const FleetOutcome& outcome : outcomes) ++summary[PhaseWord(outcome.phase, show_.kind, show_.preview)];
    json.IntMap(summary);
    json.Key("stacks");
    json.BeginArray();
    for (size_t stack = 0; stack < outcomes.size(); ++stack) WriteStack(stack, outcomes[stack], &json);
    json.EndArray();
    json.EndObject();
    return json.str();
  }

  void WriteStack(size_t stack, const FleetOutcome& outcome, JsonWriter* json) const {
    json->BeginObject();
    json->Key("stack");
    json->Text(NameOf(stack));
    json->Key("folder");
    json->Text(show_.stacks[stack].folder);
    json->Key("outcome");
    json->Text(PhaseWord(outcome.phase, show_.kind, show_.preview));
    json->TextUnlessEmpty("why", outcome.why);
    json->TextsUnlessEmpty("reads", show_.stacks[stack].reads);
    json->TextUnlessEmpty("startTime", outcome.began);
    json->TextUnlessEmpty("endTime", outcome.ended);
    json->IntUnlessZero("duration", std::chrono::nanoseconds(outcome.took).count());
    json->IntUnlessZero("waited", std::chrono::nanoseconds(outcome.waited).count());
    if (!outcome.changes.empty()) {
      json->Key("changes");
      json->IntMap(outcome.changes);
    }
    const std::string& report = reports_[stack];
    if (!report.empty()) {
      json->Key(show_.format == FleetFormat::kJson ? "report" : "preview");
      json->Json(report.substr(0, report.find_last_not_of('\n') + 1));
    }
    json->EndObject();
  }

  std::string Markdown() const {
    const std::vector<FleetOutcome> outcomes = Outcomes();
    std::string page = "## " + FleetTitle(show_) + "\n\n**" +
                       FleetSummary(outcomes, show_.kind, show_.preview, Painter(false)) +
                       "**\n\n| Stack | Outcome | Changes |\n|---|---|---|\n";
    for (size_t stack = 0; stack < outcomes.size(); ++stack) {
      const FleetOutcome& outcome = outcomes[stack];
      const std::string changes = outcome.why.empty() ? ChangesText(outcome.changes, Painter(false))
                                                      : outcome.why.substr(0, outcome.why.find('\n'));
      page += "| " + MarkdownCode(NameOf(stack)) + " | " + PhaseWord(outcome.phase, show_.kind, show_.preview) + " | " +
              MarkdownText(changes) + " |\n";
    }
    page += '\n';
    for (size_t stack = 0; stack < outcomes.size(); ++stack) {
      if (outcomes[stack].phase != FleetPhase::kUnchanged) page += reports_[stack];
    }
    return page;
  }

  std::vector<std::string> reports_;  // by stack
  Output errors_;
};

}  // namespace

std::unique_ptr<FleetScreen> NewFleetReport(FleetScreenOptions show) {
  return std::make_unique<FleetReport>(std::move(show));
}

}  // namespace kingpost
