// The resources of a running operation as a display sees them: one row each, in the order they were first heard of.
//
// Fed with events, asked for lines. Knows nothing of terminals. One thread.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/display/masking.h"
#include "cli/display/show_options.h"
#include "cli/display/terminal.h"
#include "kingpost/event.h"

namespace kingpost {

using DisplayClock = std::chrono::steady_clock;

enum class RowPhase { kWaiting, kRunning, kDone, kFailed };

struct RowMessage {
  Severity severity = Severity::kInfo;
  std::string text;  // printable, lines kept
};

struct Row {
  Urn urn, parent;
  std::string type, name;
  StepMetadata step;
  bool is_refresh = false;  // began as a refresh; step tells what it found
  RowPhase phase = RowPhase::kWaiting;
  DisplayClock::time_point started, ended;
  std::vector<RowMessage> messages;
  std::string status;  // the last ephemeral message
  int steps_running = 0;

  bool has(Severity severity) const;
};

// What a display may want to do at once after an event.
struct RowChange {
  Row* row = nullptr;  // null: no row was touched
  bool started = false;
  bool ended = false;
};

class Rows {
 public:
  Rows(const ShowOptions& show, bool preview, const Masking* masking)
      : show_(show), preview_(preview), masking_(*masking) {}

  RowChange Apply(const EngineEvent& event, DisplayClock::time_point now);

  // Components end with their program, which no event tells: after success, what still runs has ended. Answers which.
  std::vector<const Row*> Settle(DisplayClock::time_point now);

  std::vector<Row>& all() { return rows_; }
  const std::vector<Row>& all() const { return rows_; }
  const std::optional<SummaryEvent>& summary() const { return summary_; }
  const PreludeEvent& prelude() const { return prelude_; }
  int errored() const { return errored_; }
  // What goes on before the first step: the last ephemeral message that belongs to no resource.
  const std::string& status() const { return status_; }
  bool IsListed(const Row& row) const;

  // " +  pkg:mod:Type name created (0.31s) [diff: ~a]", without indent and line break.
  std::string Line(const Row& row, DisplayClock::time_point now, const Painter& painter) const;

  // What stands below the list when all is over: diagnostics, policies, outputs, summary.
  std::string Footer(const Painter& painter) const;

 private:
  Row& RowOf(const Urn& urn, const std::string& type);
  RowChange Begin(const StepMetadata& step, DisplayClock::time_point now);
  RowChange End(const StepMetadata& step, bool failed, DisplayClock::time_point now);
  void Diagnose(const DiagnosticEvent& event);
  void Diagnose(const PolicyEvent& event);
  void Adopt(const StepMetadata& step, Row* row);
  std::string StateWords(const Row& row, DisplayClock::time_point now, const Painter& painter) const;
  std::string Diagnostics(const Painter& painter) const;
  std::string Policies(const Painter& painter) const;
  std::string Outputs(const Painter& painter) const;

  const ShowOptions show_;
  const bool preview_;
  const Masking& masking_;
  std::vector<Row> rows_;
  std::unordered_map<Urn, size_t> row_of_;
  std::vector<RowMessage> loose_messages_;  // that belong to no resource
  std::string status_;
  std::vector<PolicyEvent> violations_;
  std::vector<PolicyRemediationEvent> remediations_;
  std::optional<SummaryEvent> summary_;
  PreludeEvent prelude_;
  int errored_ = 0;
};

}  // namespace kingpost
