// SPDX-License-Identifier: Apache-2.0
#include "console/fleet/fleet_text.h"

#include <algorithm>
#include <optional>

#include "console/display/labels.h"
#include "console/display/row_tree.h"
#include "kingpost/operation_word.h"

namespace kingpost {

namespace {

constexpr size_t kListedMax = 40;  // stacks; of more, those that changed

constexpr StepOp kCounted[] = {StepOp::kCreate, StepOp::kUpdate, StepOp::kReplace, StepOp::kDelete, StepOp::kImport};

Style PhaseStyle(FleetPhase phase) {
  switch (phase) {
    case FleetPhase::kUpdated:
      return Style::kGreen;
    case FleetPhase::kFailed:
      return Style::kRed;
    case FleetPhase::kSkipped:
    case FleetPhase::kStopped:
      return Style::kYellow;
    default:
      return Style::kDim;
  }
}

int ChangeCount(const std::map<std::string, int>& changes, StepOp op) {
  const auto found = changes.find(StepOpName(op));
  return found == changes.end() ? 0 : found->second;
}

std::string SecondsText(std::chrono::milliseconds time) {
  return ShortDuration(std::chrono::duration<double>(time).count());
}

}  // namespace

std::string ChangesText(const std::map<std::string, int>& changes, const Painter& painter) {
  std::string text;
  for (const StepOp op : kCounted) {
    const int count = ChangeCount(changes, op);
    if (count == 0) continue;
    const StepLabel& label = LabelOf(op);
    const std::string mark(label.mark, label.mark[1] == ' ' ? 1 : 2);
    text += (text.empty() ? "" : " ") + painter.Paint(label.style, mark + std::to_string(count));
  }
  const int same = ChangeCount(changes, StepOp::kSame);
  if (same > 0) text += (text.empty() ? "" : ", ") + std::to_string(same) + " unchanged";
  return text;
}

const char* PhaseWord(FleetPhase phase, OperationKind kind, bool preview) {
  switch (phase) {
    case FleetPhase::kPending:
      return "pending";
    case FleetPhase::kRunning:
      return "running";
    case FleetPhase::kWaiting:
      return "waiting";
    case FleetPhase::kUpdated:
      if (preview) return "changes";
      return kind == OperationKind::kDestroy ? "destroyed" : kind == OperationKind::kRefresh ? "refreshed" : "updated";
    case FleetPhase::kUnchanged:
      return "unchanged";
    case FleetPhase::kFailed:
      return "failed";
    case FleetPhase::kSkipped:
      return "skipped";
    case FleetPhase::kStopped:
      return "stopped";
  }
  return "";
}

std::string PhaseMark(FleetPhase phase, const Painter& painter) {
  switch (phase) {
    case FleetPhase::kUpdated:
      return painter.Paint(Style::kGreen, "✓ ");
    case FleetPhase::kFailed:
      return painter.Paint(Style::kRed, "✗ ");
    case FleetPhase::kSkipped:
    case FleetPhase::kStopped:
      return painter.Paint(Style::kYellow, "! ");
    case FleetPhase::kRunning:
      return painter.Paint(Style::kCyan, "▸ ");
    default:
      return "  ";
  }
}

std::string WaitText(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  const std::string more = names.size() == 1 ? "" : " and " + std::to_string(names.size() - 1) + " more";
  return "waits for " + names.front() + more;
}

const char* FleetResult(const std::vector<FleetOutcome>& outcomes) {
  const auto any = [&](FleetPhase phase) {
    return std::any_of(outcomes.begin(), outcomes.end(), [phase](const auto& one) { return one.phase == phase; });
  };
  if (any(FleetPhase::kStopped)) return "canceled";
  return any(FleetPhase::kFailed) ? "failed" : "succeeded";
}

std::string FleetSummary(const std::vector<FleetOutcome>& outcomes, OperationKind kind, bool preview,
                         const Painter& painter) {
  std::string sum;
  for (const FleetPhase phase : {FleetPhase::kUpdated, FleetPhase::kUnchanged, FleetPhase::kFailed,
                                 FleetPhase::kSkipped, FleetPhase::kStopped}) {
    const auto count = std::count_if(outcomes.begin(), outcomes.end(), [&](const auto& o) { return o.phase == phase; });
    if (count == 0) continue;
    const bool would = preview && phase == FleetPhase::kUpdated;
    const std::string words =
        std::to_string(count) + " " + (would ? (count == 1 ? "changes" : "change") : PhaseWord(phase, kind, preview));
    sum += (sum.empty() ? "" : ", ") + painter.Paint(PhaseStyle(phase), words);
  }
  return sum;
}

std::string FleetTable(const FleetScreenOptions& show, const std::vector<FleetOutcome>& outcomes, int columns,
                       std::chrono::milliseconds took) {
  const Painter painter(show.color);
  const bool all = outcomes.size() <= kListedMax;
  int width = 0;
  for (const auto& stack : show.stacks) width = std::max(width, DisplayWidth(stack.name));
  std::string text = Headline("Stacks:", painter);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const FleetOutcome& outcome = outcomes[i];
    if (!all && outcome.phase == FleetPhase::kUnchanged) continue;
    std::string line = "  " + PhaseMark(outcome.phase, painter) + PadRight(show.stacks[i].name, width) + "  " +
                       painter.Paint(PhaseStyle(outcome.phase), PhaseWord(outcome.phase, show.kind, show.preview));
    const std::string changes = ChangesText(outcome.changes, painter);
    if (outcome.phase == FleetPhase::kUpdated && !changes.empty()) line += "  " + changes;
    if (outcome.took.count() > 0) line += "  (" + SecondsText(outcome.took) + ")";
    if (!outcome.why.empty()) line += ": " + outcome.why.substr(0, outcome.why.find('\n'));
    text += (columns > 0 ? WrapLines(line, columns, 4) : line) + "\n";
  }
  text += "\n" + FleetSummary(outcomes, show.kind, show.preview, painter) + " (" + SecondsText(took) + ")\n";
  return text;
}

std::string FleetTitle(const FleetScreenOptions& show) {
  const size_t count = show.stacks.size();
  const std::string stacks = std::to_string(count) + (count == 1 ? " stack" : " stacks");
  if (show.preview) return "Previewing " + OperationWord(show.kind) + " of " + stacks + ":";
  const char* doing = show.kind == OperationKind::kDestroy   ? "Destroying "
                      : show.kind == OperationKind::kRefresh ? "Refreshing "
                                                             : "Updating ";
  return doing + stacks + ":";
}

}  // namespace kingpost
