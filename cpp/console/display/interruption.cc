// SPDX-License-Identifier: Apache-2.0
#include "console/display/interruption.h"

#include "base/command_name.h"
#include "console/display/labels.h"

namespace kingpost {

namespace {

// Components do nothing of their own; what is only compared leaves nothing behind.
bool IsOperation(const DisplayRow& row) {
  const StatePtr& state = row.step.new_state ? row.step.new_state : row.step.old_state;
  return state && state->custom && row.step.op != StepOp::kSame && *LabelOf(row.step.op).doing;
}

std::string Doing(const DisplayRow& row) { return std::string(LabelOf(row.step.op).doing) + " " + Printable(row.name); }

}  // namespace

std::string InterruptionText(const DisplayRows& rows, int number, DisplayClock::time_point now,
                             const Painter& painter) {
  if (number > 1) return painter.Paint(Style::kYellow, "Interrupted again: stopping at once.") + "\n";
  std::string waiting;
  for (const DisplayRow& row : rows.all()) {
    if (row.phase != RowPhase::kRunning || row.steps_running == 0 || !IsOperation(row)) continue;
    const double seconds = std::chrono::duration<double>(now - row.started).count();
    waiting += "    " + Doing(row) + " (" + ShortDuration(seconds) + ")\n";
  }
  const std::string begins = painter.Paint(Style::kYellow, "Interrupted: no other step begins.");
  if (waiting.empty()) return begins + " No step is running; the operation ends.\n";
  return begins + " Waiting for:\n" + waiting + "Ctrl-C again stops at once: these are then left pending, and " +
         QuotedCommand("refresh") + " finds out or asks whether they took effect.\n";
}

std::string LeftPendingText(const DisplayRows& rows, const Painter& painter) {
  std::string pending;
  for (const DisplayRow& row : rows.all()) {
    if (row.phase != RowPhase::kInterrupted || !IsOperation(row)) continue;
    pending += (pending.empty() ? "" : ", ") + Doing(row);
  }
  if (pending.empty()) return "";
  return painter.Paint(Style::kYellow, "Left pending: ") + pending + ". " + QuotedCommand("refresh") +
         " finds out or asks whether it took effect.\n";
}

}  // namespace kingpost
