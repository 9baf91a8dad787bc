// SPDX-License-Identifier: Apache-2.0
// The resources of a running operation as a display sees them: one row each, in the order they were first heard of.
//
// Fed with events, asked for lines. Knows nothing of terminals. One thread.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "console/display/masking.h"
#include "console/display/show_options.h"
#include "console/display/terminal.h"
#include "kingpost/event.h"

namespace kingpost {

using DisplayClock = std::chrono::steady_clock;

enum class RowEnd { kDone, kAwaited, kFailed };
enum class RowPhase { kWaiting, kRunning, kDone, kAwaited, kFailed, kInterrupted };

struct RowMessage {
  Severity severity = Severity::kInfo;
  std::string text;  // printable, lines kept
};

struct DisplayRow {
  Urn urn, parent;
  std::string type, name;
  StepMetadata step;
  bool is_refresh = false;  // began as a refresh; step tells what it found
  RowPhase phase = RowPhase::kWaiting;
  DisplayClock::time_point started, ended;  // of what is told now
  DisplayClock::duration busy{};            // of the steps of a replacement that have ended
  std::vector<std::string> errors;          // whole, in their order; what else was said has been told as it came
  bool was_warned = false;
  std::string status;                               // the last ephemeral message
  mutable std::optional<std::string> changed_keys;  // of the step, kept because the row is drawn again and again
  size_t place = 0;                                 // in DisplayRows::all()
  int steps_running = 0;
  std::chrono::seconds next_reminder{0};  // of a display that says what still runs
  bool has_no_end_event = false;          // it ended without an event of its own
  bool refused = false;                   // it failed before a step began

  // A replacement is one thing of two halves, in either order; other rows have none.
  bool is_replacement = false, new_half_done = false, old_half_done = false;
};

// How many rows are where; those that wait are in none.
struct RowCounts {
  int running = 0, done = 0, unchanged = 0;
};

// The part of the display that an event may change at once. The halves of a replacement start and end once.
struct RowChange {
  DisplayRow* row = nullptr;  // null: no row was touched
  bool started = false;
  bool ended = false;
  bool status = false;             // the row's ephemeral message changed; without a row, that of the operation
  std::optional<RowMessage> said;  // by the row's resource, or by the stack if there is no row
};

// A row cut into what stands below each other when rows are drawn as a table.
struct RowCells {
  std::string mark, type, name, state, info;
};

class DisplayRows {
 public:
  // The stack speaks for messages without a resource; its resource has this name ("project-stack").
  DisplayRows(const ShowOptions& show, bool preview, const Masking* masking, std::string stack_resource = "")
      : show_(show), preview_(preview), masking_(*masking), stack_resource_(std::move(stack_resource)) {}

  RowChange Apply(const EngineEvent& event, DisplayClock::time_point now);

  // After the last event. Components end with their program, which no event tells: after success, what still runs has
  // ended; after a failure it was cut off. Answers whose end was not told yet.
  std::vector<const DisplayRow*> Settle(DisplayClock::time_point now);

  // Rows keep their places.
  std::deque<DisplayRow>& all() { return rows_; }
  const std::deque<DisplayRow>& all() const { return rows_; }
  const DisplayRow* Find(const Urn& urn) const;
  const std::optional<SummaryEvent>& summary() const { return summary_; }
  const PreludeEvent& prelude() const { return prelude_; }
  int errored() const { return errored_; }
  int awaited() const { return awaited_; }
  const RowCounts& counts() const { return counts_; }
  // The work before the first step: the last ephemeral message without a resource.
  const std::string& status() const { return status_; }
  bool IsListed(const DisplayRow& row) const;

  RowCells Cells(const DisplayRow& row, DisplayClock::time_point now, const Painter& painter) const;
  // " +  pkg:mod:Type name created (0.31s) [diff: ~a]", without indent and line break.
  std::string Line(const DisplayRow& row, DisplayClock::time_point now, const Painter& painter) const;

  // Why its step is taken, line by line; nothing without --explain and for rows that are only shown around others.
  std::vector<std::string> Explanation(const DisplayRow& row) const;

  // The text below the finished list: errors, policies, outputs unless they stand in the list, summary.
  std::string Footer(const Painter& painter, bool outputs = true, bool summary = true) const;
  // The stack's outputs, line by line; "" if there are none to be shown.
  std::string Outputs(const Painter& painter) const;

 private:
  DisplayRow& RowOf(const Urn& urn, const std::string& type);
  RowChange Begin(const StepMetadata& step, DisplayClock::time_point now);
  RowChange End(const StepMetadata& step, RowEnd end, DisplayClock::time_point now);
  void Count(const DisplayRow& row, int by);
  RowChange Diagnose(const DiagnosticEvent& event);
  RowChange Say(DisplayRow* row, Severity severity, std::string text);
  void Diagnose(const PolicyEvent& event);
  void Adopt(const StepMetadata& step, DisplayRow* row);
  void Conclude(const SummaryEvent& summary, DisplayClock::time_point now);
  bool EndedWell() const;  // nothing failed: at most something is awaited
  std::string StateWords(const DisplayRow& row, DisplayClock::time_point now, const Painter& painter) const;
  std::string Info(const DisplayRow& row, const Painter& painter) const;
  std::string Errors(const Painter& painter) const;
  std::string Policies(const Painter& painter) const;

  const ShowOptions show_;
  const bool preview_;
  const Masking& masking_;
  const std::string stack_resource_;
  std::deque<DisplayRow> rows_;
  std::unordered_map<Urn, size_t> row_of_;
  std::vector<std::string> loose_errors_;  // that belong to no resource
  std::string status_;
  std::vector<PolicyEvent> violations_;
  std::vector<PolicyRemediationEvent> remediations_;
  std::optional<SummaryEvent> summary_;
  PreludeEvent prelude_;
  RowCounts counts_;
  int errored_ = 0, awaited_ = 0;
  int warnings_ = 0;
};

}  // namespace kingpost
