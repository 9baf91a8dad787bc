// SPDX-License-Identifier: Apache-2.0
// How a row becomes a line: mark, type, name, what happens to it, what changes, what went wrong.
#include <cctype>

#include "console/display/changed_keys.h"
#include "console/display/display_rows.h"
#include "console/display/explanation.h"
#include "console/display/labels.h"
#include "console/display/outcome_notes.h"

namespace kingpost {

namespace {

// Packages repeat the name of a type in its module: "aws:s3/bucket:Bucket" reads as "aws:s3:Bucket".
std::string ShortType(const std::string& type) {
  const size_t slash = type.find('/'), colon = type.rfind(':');
  if (slash == std::string::npos || colon == std::string::npos || colon < slash || colon + 1 == type.size())
    return type;
  std::string last = type.substr(colon + 1);
  last[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(last[0])));
  return type.substr(slash + 1, colon - slash - 1) == last ? type.substr(0, slash) + type.substr(colon) : type;
}

double SecondsOf(const DisplayRow& row, DisplayClock::time_point now) {
  if (row.is_replacement) {
    const auto running = row.steps_running > 0 ? now - row.started : DisplayClock::duration();
    return std::chrono::duration<double>(row.busy + running).count();
  }
  const DisplayClock::time_point end = row.phase == RowPhase::kRunning ? now : row.ended;
  return std::chrono::duration<double>(end - row.started).count();
}

// A replacement of which only one half has happened is told as that half, where its halves are not told themselves.
StepOp ToldOp(const DisplayRow& row) {
  if (row.step.op != StepOp::kReplace || row.phase != RowPhase::kDone) return row.step.op;
  if (row.new_half_done && !row.old_half_done) return StepOp::kCreateReplacement;
  if (row.old_half_done && !row.new_half_done) return StepOp::kDeleteReplaced;
  return row.step.op;
}

std::string FailedWords(const StepLabel& label, const DisplayRow& row) {
  if (row.type == kRootStackType || !*label.doing) return "**failed**";
  return "**" + std::string(label.doing) + " failed**";
}

// "**create awaiting**", "**update awaiting**"; of a replacement that is told as one thing "**awaiting**".
std::string AwaitedWords(StepOp op) {
  const bool creates = op == StepOp::kCreate || op == StepOp::kCreateReplacement;
  return std::string("**") + (creates ? "create " : op == StepOp::kUpdate ? "update " : "") + "awaiting**";
}

std::string InterruptedWords(const StepLabel& label, const DisplayRow& row) {
  const StatePtr& state = row.step.new_state ? row.step.new_state : row.step.old_state;
  if (!*label.doing || !state || !state->custom) return "**incomplete**";
  return "**" + std::string(label.doing) + " interrupted**";
}

}  // namespace

std::string DisplayRows::StateWords(const DisplayRow& row, DisplayClock::time_point now, const Painter& painter) const {
  const StepLabel& label = LabelOf(show_.replacement_steps ? row.step.op : ToldOp(row));
  const std::string timing = " (" + ShortDuration(SecondsOf(row, now)) + ")";
  switch (row.phase) {
    case RowPhase::kWaiting:
      return "";
    case RowPhase::kFailed:
      if (row.refused) return painter.Paint(Style::kRed, "**failed**");
      return painter.Paint(Style::kRed, FailedWords(label, row)) + (preview_ ? "" : timing);
    case RowPhase::kAwaited:
      return painter.Paint(Style::kYellow, AwaitedWords(row.step.op)) + (preview_ ? "" : timing);
    case RowPhase::kInterrupted:
      return painter.Paint(Style::kYellow, InterruptedWords(label, row)) + (preview_ ? "" : timing);
    case RowPhase::kRunning:
      if (preview_ && row.step.op != StepOp::kRefresh) return painter.Paint(label.style, LabelOf(row.step.op).planned);
      return *label.doing ? painter.Paint(label.style, label.doing) + timing : "";
    case RowPhase::kDone:
      if (preview_) return painter.Paint(label.style, LabelOf(row.step.op).planned);
      return *label.done ? painter.Paint(label.style, label.done) + timing : "";
  }
  return "";
}

std::string DisplayRows::Info(const DisplayRow& row, const Painter& painter) const {
  std::string info;
  const auto add = [&](const std::string& text) { info += (info.empty() ? "" : " ") + text; };
  if (row.step.op != StepOp::kCreate && row.step.op != StepOp::kDelete) {
    if (!row.changed_keys) row.changed_keys = ChangedKeys(row.step, painter);
    if (!row.changed_keys->empty()) add("[diff: " + *row.changed_keys + "]");
  }
  if (row.phase == RowPhase::kRunning && !row.status.empty()) add(painter.Paint(Style::kDim, row.status));
  if (!row.errors.empty()) {
    info += (info.empty() ? "" : "; ") + painter.Paint(Style::kRed, "error: ") + ErrorInOneLine(row.errors.front());
  }
  return info;
}

RowCells DisplayRows::Cells(const DisplayRow& row, DisplayClock::time_point now, const Painter& painter) const {
  const StepLabel& label = LabelOf(row.step.op);
  RowCells cells;
  cells.mark = painter.Paint(label.style, label.mark);
  cells.type = show_.urns ? Printable(row.urn.str()) : Printable(ShortType(row.type));
  if (!show_.urns) cells.name = painter.Bold(Printable(row.name));
  cells.state = StateWords(row, now, painter);
  cells.info = Info(row, painter);
  return cells;
}

std::string DisplayRows::Line(const DisplayRow& row, DisplayClock::time_point now, const Painter& painter) const {
  const RowCells cells = Cells(row, now, painter);
  std::string line = cells.mark + " " + cells.type;
  for (const std::string* cell : {&cells.name, &cells.state}) {
    if (!cell->empty()) line += " " + *cell;
  }
  if (cells.info.empty()) return line;
  const bool is_error = StripAnsi(cells.info).rfind("error: ", 0) == 0;
  return line + (is_error ? "; " : " ") + cells.info;
}

std::vector<std::string> DisplayRows::Explanation(const DisplayRow& row) const {
  if (!show_.explain || row.type == kRootStackType || !IsListed(row)) return {};
  const bool only_tried = row.phase == RowPhase::kFailed || row.phase == RowPhase::kAwaited;
  std::vector<std::string> lines = kingpost::Explanation(row.step, only_tried);
  for (std::string& line : lines) line = masking_.Text(line);
  return lines;
}

}  // namespace kingpost
