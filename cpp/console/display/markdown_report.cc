// SPDX-License-Identifier: Apache-2.0
#include "console/display/markdown_report.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/command_name.h"
#include "console/display/changed_keys.h"
#include "console/display/diff.h"
#include "console/display/labels.h"
#include "console/display/markdown_text.h"
#include "console/display/output.h"
#include "console/display/sequence_diff.h"
#include "kingpost/operation_word.h"

namespace kingpost {

namespace {

// A comment of GitHub may have 65,536 characters.
constexpr size_t kTableMax = 24 * 1024;
constexpr size_t kDetailsMax = 30 * 1024;
constexpr size_t kMessagesMax = 6 * 1024;
constexpr size_t kDetailLinesMax = 120;  // of one resource

// Losses come first.
int RankOf(StepOp op) {
  switch (op) {
    case StepOp::kDelete:
    case StepOp::kDiscard:
      return 0;
    case StepOp::kReplace:
    case StepOp::kImportReplacement:
    case StepOp::kRemovePendingReplace:
      return 1;
    case StepOp::kUpdate:
      return 2;
    case StepOp::kCreate:
    case StepOp::kImport:
      return 3;
    default:
      return 4;
  }
}

std::string FirstLines(const std::string& text, size_t count) {
  const std::vector<std::string_view> lines = LinesOf(text);
  if (lines.size() <= count) return text;
  std::string out;
  for (size_t i = 0; i < count; ++i) out += std::string(lines[i]) + "\n";
  return out + "… " + std::to_string(lines.size() - count) + " more lines\n";
}

// Parts are added until one does not fit; what did not is counted.
class Budget {
 public:
  explicit Budget(size_t bytes) : left_(bytes) {}

  void Add(const std::string& part, std::string* page) {
    if (omitted_ > 0 || part.size() > left_) {
      ++omitted_;
      return;
    }
    left_ -= part.size();
    *page += part;
  }
  int omitted() const { return omitted_; }

 private:
  size_t left_;
  int omitted_ = 0;
};

std::string Counted(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

class MarkdownReport : public EventConsumer {
 public:
  explicit MarkdownReport(DisplayOptions options) : options_(std::move(options)) {}

  void Consume(const EngineEvent& event) override {
    if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
      Learn(pre->metadata);
    } else if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
      Learn(outputs->metadata);
    } else if (const auto* diagnostic = std::get_if<DiagnosticEvent>(&event)) {
      const bool matters = diagnostic->severity == Severity::kError || diagnostic->severity == Severity::kWarning;
      if (matters && !diagnostic->ephemeral) messages_.push_back(*diagnostic);
    } else if (const auto* policy = std::get_if<PolicyEvent>(&event)) {
      violations_.push_back(*policy);
    } else if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
      summary_ = *summary;
    }
  }

  void Finish() override {
    std::string page = Title() + Verdict();
    const std::vector<const StepMetadata*> steps = Listed();
    page += Table(steps) + Messages() + Violations() + Details(steps) + Outputs();
    Output(options_.fd, options_.sink).Write(page);
  }

 private:
  // A refresh says at its end what it found; before, it is a refresh that may have found nothing.
  void Learn(const StepMetadata& step) {
    if (step.internal) return;
    if (IsRootStack(step)) root_ = step;
    const bool listed = step.op != StepOp::kSame && step.op != StepOp::kRefresh && ShouldList(step, options_.show);
    if (!listed || IsRootStack(step)) return;
    const auto [found, is_new] = place_of_.emplace(step.urn, steps_.size());
    if (is_new) {
      steps_.push_back(step);
    } else if (!(steps_[found->second].op == StepOp::kReplace && !step.logical)) {
      steps_[found->second] = step;
    }
  }

  std::vector<const StepMetadata*> Listed() const {
    std::vector<const StepMetadata*> listed;
    for (const StepMetadata& step : steps_) listed.push_back(&step);
    std::sort(listed.begin(), listed.end(), [](const StepMetadata* a, const StepMetadata* b) {
      return std::make_pair(RankOf(a->op), a->urn.str()) < std::make_pair(RankOf(b->op), b->urn.str());
    });
    return listed;
  }

  bool IsDrift() const { return options_.kind == OperationKind::kRefresh; }

  std::string Title() const {
    const std::string stack = MarkdownCode(options_.project + "/" + options_.stack);
    return IsDrift() ? "### Drift of " + stack + "\n\n"
                     : "### Preview of " + OperationWord(options_.kind) + " of " + stack + "\n\n";
  }

  std::string Verdict() const {
    if (summary_.result != "succeeded") return "**The preview failed.** What it found until then:\n\n";
    std::string kinds;
    int changes = 0, same = 0;
    for (const auto& [name, count] : summary_.resource_changes) {
      const std::optional<StepOp> op = ParseStepOp(name);
      if (op == StepOp::kSame) same = count;
      if (!op || RankOf(*op) > 3) continue;
      changes += count;
      kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " to " + name;
    }
    const std::string rest = same > 0 ? "; " + std::to_string(same) + " unchanged" : "";
    if (changes == 0) {
      return std::string("**No changes.** ") +
             (IsDrift() ? "The resources are as recorded" : "The stack is up to date") + rest + ".\n\n";
    }
    return "**" + Counted(changes, "change", "changes") + "**: " + kinds + rest + ".\n\n";
  }

  std::string Table(const std::vector<const StepMetadata*>& steps) const {
    if (steps.empty()) return "";
    std::string page = "| | Change | Resource | Type | Properties |\n|---|---|---|---|---|\n";
    Budget budget(kTableMax);
    for (const StepMetadata* step : steps) {
      const StepLabel& label = LabelOf(step->op);
      const bool whole = step->op == StepOp::kCreate || step->op == StepOp::kDelete;
      const std::string keys = whole ? "" : ChangedKeys(*step, Painter(false));
      budget.Add("| " + MarkdownCode(std::string(label.mark).substr(0, label.mark[1] == ' ' ? 1 : 2)) + " | " +
                     label.planned + " | " + MarkdownCode(step->urn.name()) + " | " + MarkdownCode(step->type) + " | " +
                     (keys.empty() ? "" : MarkdownCode(keys)) + " |\n",
                 &page);
    }
    if (budget.omitted() > 0) page += "\nand " + Counted(budget.omitted(), "more resource", "more resources") + ".\n";
    return page + "\n";
  }

  std::string Details(const std::vector<const StepMetadata*>& steps) const {
    DiffTextOptions text;
    text.summary = true;
    text.refresh = IsDrift();
    text.explain = options_.show.explain;
    std::string page;
    Budget budget(kDetailsMax);
    for (const StepMetadata* step : steps) {
      const std::string diff = StepDiffText(*step, text, Painter(false));
      const std::string lines = options_.masking->Text(diff.substr(diff.find('\n') + 1));
      if (lines.empty()) continue;
      budget.Add("<details><summary>" + MarkdownText(LabelOf(step->op).planned) + " " + MarkdownCode(step->urn.name()) +
                     "</summary>\n\n" + MarkdownFence(FirstLines(DiffFenceLines(lines), kDetailLinesMax), "diff") +
                     "\n</details>\n",
                 &page);
    }
    if (budget.omitted() > 0) {
      page += "\nThe details of " + Counted(budget.omitted(), "more resource", "more resources") + " are left out; " +
              QuotedCommand("preview --diff") + " shows them.\n";
    }
    return page.empty() ? "" : page + "\n";
  }

  std::string Messages() const {
    std::string page;
    Budget budget(kMessagesMax);
    for (const DiagnosticEvent& message : messages_) {
      std::string text = options_.masking->Text(StripAnsi(message.message));
      while (!text.empty() && text.back() == '\n') text.pop_back();
      const std::string by = message.urn.empty() ? "" : " of " + MarkdownCode(message.urn.name());
      budget.Add(std::string(message.severity == Severity::kError ? "❌ Error" : "⚠️ Warning") + by + ":\n\n" +
                     MarkdownFence(FirstLines(Printable(text, true), 30), "text") + "\n",
                 &page);
    }
    if (budget.omitted() > 0) page += Counted(budget.omitted(), "more message", "more messages") + ".\n\n";
    return page;
  }

  std::string Violations() const {
    std::string page;
    Budget budget(kMessagesMax);
    for (const PolicyEvent& event : violations_) {
      const PolicyDiagnostic& policy = event.diagnostic;
      const std::string allowed = event.exceptions.empty() ? "" : "exempted ";
      const std::string place = event.urn.empty() ? "" : " (" + MarkdownCode(event.urn.name()) + ")";
      budget.Add("- " + allowed + std::string(EnforcementLevelName(policy.level)) + " policy " +
                     MarkdownCode(policy.policy) + place + ": " +
                     MarkdownText(options_.masking->Text(StripAnsi(policy.message))) + "\n",
                 &page);
    }
    if (budget.omitted() > 0) page += "- and " + std::to_string(budget.omitted()) + " more\n";
    return page.empty() ? "" : "**Policies**\n\n" + page + "\n";
  }

  std::string Outputs() const {
    if (!root_ || options_.show.suppress_outputs) return "";
    static const PropertyMap none;
    const std::string lines =
        PropertiesDiffText(root_->old_state ? root_->old_state->outputs : none,
                           root_->new_state ? root_->new_state->outputs : none, {}, Painter(false), 0, false);
    if (lines.empty() || IsDrift()) return "";
    const std::string shown = FirstLines(DiffFenceLines(options_.masking->Text(lines)), 40);
    if (shown.size() > 4096) return "";
    return "<details><summary>Outputs</summary>\n\n" + MarkdownFence(shown, "diff") + "\n</details>\n";
  }

  const DisplayOptions options_;
  std::vector<StepMetadata> steps_;
  std::unordered_map<Urn, size_t> place_of_;
  std::optional<StepMetadata> root_;
  std::vector<DiagnosticEvent> messages_;
  std::vector<PolicyEvent> violations_;
  SummaryEvent summary_;
};

}  // namespace

std::unique_ptr<EventConsumer> NewMarkdownReport(DisplayOptions options) {
  return std::make_unique<MarkdownReport>(std::move(options));
}

}  // namespace kingpost
