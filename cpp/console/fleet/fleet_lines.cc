// SPDX-License-Identifier: Apache-2.0
// Lines for pipes and logs: each begins with the name of its stack. --diff shows each stack as a whole when it ends.
#include "console/display/labels.h"
#include "console/display/output.h"
#include "console/fleet/fleet_base.h"

namespace kingpost {

namespace {

class FleetLines : public FleetScreenBase {
 public:
  explicit FleetLines(FleetScreenOptions show)
      : FleetScreenBase(std::move(show)), output_(show_.fd), unended_(rows_.size()) {
    for (const auto& stack : show_.stacks) width_ = std::max(width_, DisplayWidth(stack.name));
    output_.Write(painter_.Paint(Style::kMagenta, painter_.Bold(FleetTitle(show_))) + "\n\n");
  }

  std::unique_ptr<EventConsumer> Display(size_t stack, std::shared_ptr<const Masking> masking) override {
    const TextSink sink = [this, stack](std::string_view text) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (show_.format == FleetFormat::kDiff) {
        unended_[stack] += text;
      } else {
        Write(stack, text);
      }
    };
    DisplayOptions options = PartOf(stack, std::move(masking), sink);
    return show_.format == FleetFormat::kDiff ? NewDiffDisplay(std::move(options))
                                              : NewPlainProgress(std::move(options));
  }

  void Changed(size_t stack, FleetPhase phase, std::vector<std::string> waits_for) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool tell = phase == FleetPhase::kWaiting && !show_.show.suppress_progress;
    if (tell) Line(stack, painter_.Paint(Style::kDim, WaitText(waits_for)));
    Note(stack, phase, std::move(waits_for));
  }

  void Ended(size_t stack, FleetOutcome outcome) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!unended_[stack].empty() && outcome.phase != FleetPhase::kUnchanged) {
      output_.Write("\n" + painter_.Bold(NameOf(stack)) + "\n" + unended_[stack]);
    } else if (show_.format != FleetFormat::kDiff) {
      Write(stack, unended_[stack]);
    }
    unended_[stack].clear();
    std::string line = PhaseMark(outcome.phase, painter_) + PhaseWord(outcome.phase, show_.kind, show_.preview);
    const std::string changes = ChangesText(outcome.changes, painter_);
    if (!changes.empty() && outcome.phase != FleetPhase::kUnchanged) line += "  " + changes;
    if (!outcome.why.empty()) line += ": " + outcome.why;
    Line(stack, line);
    Note(stack, std::move(outcome));
  }

  void Say(size_t stack, const std::string& text) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (show_.format == FleetFormat::kDiff) {
      unended_[stack] += text;
    } else {
      Write(stack, text);
    }
  }

  void Finish() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    output_.Write("\n" + FleetTable(show_, Outcomes(), 0, Elapsed()));
  }

 private:
  // Whole lines; one that has not ended yet waits for its end.
  void Write(size_t stack, std::string_view text) {
    std::string& open = unended_[stack];
    open += text;
    size_t begin = 0;
    for (size_t end = 0; (end = open.find('\n', begin)) != std::string::npos; begin = end + 1) {
      Line(stack, open.substr(begin, end - begin));
    }
    open.erase(0, begin);
  }

  void Line(size_t stack, const std::string& line) {
    if (line.find_first_not_of(' ') == std::string::npos) return;
    std::string out;
    size_t begin = 0;
    while (begin <= line.size()) {
      const size_t end = std::min(line.find('\n', begin), line.size());
      out += painter_.Paint(Style::kDim, PadRight(NameOf(stack), width_) + " |") + " " +
             line.substr(begin, end - begin) + "\n";
      begin = end + 1;
    }
    output_.Write(out);
  }

  Output output_;
  int width_ = 0;
  std::vector<std::string> unended_;  // by stack
};

}  // namespace

std::unique_ptr<FleetScreen> NewFleetLines(FleetScreenOptions show) {
  return std::make_unique<FleetLines>(std::move(show));
}

std::unique_ptr<FleetScreen> NewFleetScreen(FleetScreenOptions show) {
  switch (show.format) {
    case FleetFormat::kMarkdown:
    case FleetFormat::kJson:
    case FleetFormat::kJsonEvents:
      return NewFleetReport(std::move(show));
    case FleetFormat::kDiff:
      return NewFleetLines(std::move(show));
    case FleetFormat::kText:
      return show.live ? NewFleetRows(std::move(show)) : NewFleetLines(std::move(show));
  }
  return nullptr;
}

}  // namespace kingpost
