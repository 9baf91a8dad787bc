// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "console/display/labels.h"
#include "console/display/output.h"
#include "console/display/row_display.h"
#include "console/display/still_running.h"

namespace kingpost {

namespace {

class PlainProgress : public RowDisplay {
 public:
  explicit PlainProgress(DisplayOptions options) : RowDisplay(std::move(options)) {}

  void Consume(const EngineEvent& event) override {
    const bool meanwhile = !options_.show.suppress_progress;
    if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
      const std::string line = downloads_.Apply(*progress);
      if (!line.empty() && meanwhile) Print(line);
      return;
    }
    const auto now = options_.now();
    const RowChange change = rows_.Apply(event, now);
    if (change.said) Say(change);
    if (change.status && meanwhile) PrintStatus(change, now);
    if (!change.row) return;
    if (change.started) {
      change.row->next_reminder = NextReminder(std::chrono::seconds(0));
      next_look_ = std::min(next_look_, now + change.row->next_reminder);
    }
    if (change.started && meanwhile && IsWorthTelling(*change.row)) PrintStart(*change.row);
    if (change.ended && rows_.IsListed(*change.row)) PrintEnd(*change.row, now);
  }

  void Tick() override {
    if (const std::string text = TakeInterruption(); !text.empty()) Print(text.substr(0, text.size() - 1));
    Remind(options_.now());
  }

  void Finish() override {
    const auto now = options_.now();
    for (const DisplayRow* row : rows_.Settle(now)) {
      if (rows_.IsListed(*row)) PrintEnd(*row, now);
    }
    Write((printed_ ? "\n" : "") + rows_.Footer(painter_, true, !options_.is_part_of_fleet) + LeftPending());
  }

 private:
  // A preview plans at once; only a refresh takes its time in it.
  bool IsWorthTelling(const DisplayRow& row) const {
    if (options_.preview && row.step.op != StepOp::kRefresh) return false;
    return row.step.op != StepOp::kSame && *LabelOf(row.step.op).doing;
  }

  void Remind(DisplayClock::time_point now) {
    if (options_.show.suppress_progress || now < next_look_) return;
    next_look_ = DisplayClock::time_point::max();
    for (DisplayRow& row : rows_.all()) {
      if (row.phase != RowPhase::kRunning || !IsWorthTelling(row)) continue;
      const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - row.started);
      const bool is_due = elapsed >= row.next_reminder && row.steps_running > 0;
      if (is_due) row.next_reminder = NextReminder(elapsed);
      next_look_ = std::min(next_look_, row.started + row.next_reminder);
      if (!is_due) continue;
      const StepLabel& label = LabelOf(row.step.op);
      const std::string words =
          std::string("still ") + label.doing + " " + Printable(row.name) + " (" + RoundDuration(elapsed) + ")";
      Print(" " + painter_.Paint(label.style, label.mark + (" " + words)));
    }
  }

  void Say(const RowChange& change) {
    const std::string lines = speech_.FormatMessage(change, painter_);
    Write(lines);
    printed_ = printed_ || !lines.empty();
  }

  void PrintStatus(const RowChange& change, DisplayClock::time_point now) {
    if (!change.row) {
      if (rows_.all().empty() && !rows_.status().empty()) Print(" " + rows_.status());
      return;
    }
    if (change.row->phase == RowPhase::kRunning && !change.row->status.empty()) Print(*change.row, now);
  }

  void Print(const DisplayRow& row, DisplayClock::time_point now) { Print(" " + rows_.Line(row, now, painter_)); }
  void PrintEnd(const DisplayRow& row, DisplayClock::time_point now) {
    Print(row, now);
    for (const std::string& line : rows_.Explanation(row)) Print("        " + painter_.Paint(Style::kDim, line));
  }
  void PrintStart(const DisplayRow& row) {
    const StepLabel& label = LabelOf(row.step.op);
    const RowCells cells = rows_.Cells(row, row.started, painter_);
    Print(" " + cells.mark + " " + cells.type + (cells.name.empty() ? "" : " " + cells.name) + " " +
          painter_.Paint(label.style, label.doing));
  }
  void Print(const std::string& line) {
    speech_.Interrupt();
    Write(line + "\n");
    printed_ = true;
  }

  bool printed_ = false;
  DisplayClock::time_point next_look_ = DisplayClock::time_point::max();  // when the first reminder may be due
};

}  // namespace

std::unique_ptr<EventConsumer> NewPlainProgress(DisplayOptions options) {
  return std::make_unique<PlainProgress>(std::move(options));
}

}  // namespace kingpost
