// SPDX-License-Identifier: Apache-2.0
// How events become rows. Words and lines are in rows_line.cc, sections below the list in rows_footer.cc.
#include "console/display/display_rows.h"

#include "console/display/labels.h"

namespace kingpost {

namespace {

bool MakesNewHalf(StepOp op) {
  return op == StepOp::kCreateReplacement || op == StepOp::kImportReplacement || op == StepOp::kReadReplacement;
}
RowPhase PhaseAfter(RowEnd end) {
  switch (end) {
    case RowEnd::kDone:
      return RowPhase::kDone;
    case RowEnd::kAwaited:
      return RowPhase::kAwaited;
    case RowEnd::kFailed:
      break;
  }
  return RowPhase::kFailed;
}
bool RemovesOldHalf(StepOp op) { return op == StepOp::kDeleteReplaced || op == StepOp::kDiscardReplaced; }

// The original of a replacement that an earlier operation began; this one has no other half.
bool IsLeftOver(const DisplayRow& row, const StepMetadata& step) {
  return RemovesOldHalf(step.op) && !row.is_replacement && step.old_state && step.old_state->pending_delete;
}

}  // namespace

const DisplayRow* DisplayRows::Find(const Urn& urn) const {
  const auto found = row_of_.find(urn);
  return found == row_of_.end() ? nullptr : &rows_[found->second];
}

DisplayRow& DisplayRows::RowOf(const Urn& urn, const std::string& type) {
  const auto [found, is_new] = row_of_.emplace(urn, rows_.size());
  if (is_new) {
    DisplayRow row;
    row.place = rows_.size();
    row.urn = urn;
    row.type = type.empty() ? std::string(urn.type()) : type;
    row.name = std::string(urn.name());
    row.step.urn = urn;
    row.step.type = row.type;
    rows_.push_back(std::move(row));
  }
  return rows_[found->second];
}

// Creating the replacement and deleting the original are shown as one replacement, unless asked otherwise.
void DisplayRows::Adopt(const StepMetadata& step, DisplayRow* row) {
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  if (state) row->parent = state->parent;
  const bool is_half = MakesNewHalf(step.op) || RemovesOldHalf(step.op);
  const bool whole = is_half && row->is_replacement && !show_.replacement_steps;
  const StepMetadata former = row->step;
  row->step = step;
  row->changed_keys.reset();
  if (whole) row->step.op = StepOp::kReplace;
  // The half that deletes knows nothing of what changed.
  if (whole && RemovesOldHalf(step.op) && former.new_state) {
    row->step = former;
    row->step.op = StepOp::kReplace;
  }
  // The result of a refresh or of an earlier step of this resource stays until the resource changes again.
  const bool stays = former.op != StepOp::kSame && former.op != StepOp::kRefresh;
  if (step.op == StepOp::kSame && stays) row->step.op = former.op;
}

void DisplayRows::Count(const DisplayRow& row, int by) {
  if (row.phase == RowPhase::kWaiting) return;
  int& count = row.phase == RowPhase::kRunning ? counts_.running
               : row.step.op == StepOp::kSame  ? counts_.unchanged
                                               : counts_.done;
  count += by;
}

RowChange DisplayRows::Begin(const StepMetadata& step, DisplayClock::time_point now) {
  DisplayRow& row = RowOf(step.urn, step.type);
  Count(row, -1);
  if (row.refused) {  // what looked like a refusal was an error that the program logged
    row.refused = row.has_no_end_event = false;
    row.phase = RowPhase::kWaiting;
    --errored_;
  }
  const bool is_half = MakesNewHalf(step.op) || RemovesOldHalf(step.op);
  const bool was_replacement = row.is_replacement;
  row.is_replacement = row.is_replacement || (is_half && !IsLeftOver(row, step));
  const bool goes_on = was_replacement && !show_.replacement_steps && (is_half || step.op == StepOp::kReplace);
  row.is_refresh = step.op == StepOp::kRefresh;
  Adopt(step, &row);
  if (row.phase == RowPhase::kWaiting || row.steps_running == 0) row.started = now;
  ++row.steps_running;
  if (row.phase != RowPhase::kFailed) row.phase = RowPhase::kRunning;
  Count(row, 1);
  RowChange change;
  change.row = &row;
  change.started = !goes_on;
  return change;
}

RowChange DisplayRows::End(const StepMetadata& step, RowEnd end, DisplayClock::time_point now) {
  DisplayRow& row = RowOf(step.urn, step.type);
  Count(row, -1);
  const bool was_over = row.steps_running == 0 && row.phase == RowPhase::kDone;
  const bool untold = row.steps_running == 0 && (row.phase == RowPhase::kWaiting || row.refused);
  if (untold) row.started = now;  // as of a default provider whose configuration fails
  if (row.steps_running > 0) --row.steps_running;
  if (row.is_replacement && row.steps_running == 0) row.busy += now - row.started;
  Adopt(step, &row);
  row.ended = now;
  row.status.clear();
  if (row.phase != RowPhase::kFailed) {
    if (end == RowEnd::kFailed) ++errored_;
    if (end == RowEnd::kAwaited) ++awaited_;
    row.phase = PhaseAfter(end);
  }
  Count(row, 1);
  const bool had_halves = row.new_half_done && row.old_half_done;
  row.new_half_done = row.new_half_done || MakesNewHalf(step.op);
  row.old_half_done = row.old_half_done || RemovesOldHalf(step.op);

  RowChange change;
  change.row = &row;
  change.ended = !was_over;
  if (row.is_replacement && end == RowEnd::kDone && !show_.replacement_steps) {
    change.ended = !had_halves && row.new_half_done && row.old_half_done;
  }
  return change;
}

RowChange DisplayRows::Say(DisplayRow* row, Severity severity, std::string text) {
  RowChange change;
  change.row = row;
  if (severity == Severity::kWarning) ++warnings_;
  if (row && severity == Severity::kWarning) row->was_warned = true;
  if (severity == Severity::kError) (row ? row->errors : loose_errors_).push_back(text);
  if (severity == Severity::kError && row && row->phase == RowPhase::kWaiting) {
    row->phase = RowPhase::kFailed;
    row->refused = row->has_no_end_event = true;
    Count(*row, 1);
    ++errored_;
  }
  change.said = RowMessage{severity, std::move(text)};
  return change;
}

RowChange DisplayRows::Diagnose(const DiagnosticEvent& event) {
  RowChange change;
  if (event.severity == Severity::kDebug && !show_.debug) return change;
  std::string text = Printable(masking_.Text(StripAnsi(event.message)), true);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  DisplayRow* row = event.urn.empty() ? nullptr : &RowOf(event.urn, "");
  if (event.ephemeral) {
    std::string& status = row ? row->status : status_;
    std::string line = text.substr(0, text.find('\n'));
    change.row = row;
    change.status = status != line;
    status = std::move(line);
    return change;
  }
  if (text.empty() && event.severity != Severity::kInfo) return change;
  return Say(row, event.severity, std::move(text));
}

void DisplayRows::Diagnose(const PolicyEvent& event) {
  violations_.push_back(event);
  violations_.back().diagnostic.message = Printable(masking_.Text(StripAnsi(event.diagnostic.message)), true);
}

RowChange DisplayRows::Apply(const EngineEvent& event, DisplayClock::time_point now) {
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
    return pre->metadata.internal ? RowChange() : Begin(pre->metadata, now);
  }
  if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
    return outputs->metadata.internal ? RowChange() : End(outputs->metadata, RowEnd::kDone, now);
  }
  if (const auto* failed = std::get_if<ResourceFailedEvent>(&event)) {
    return End(failed->metadata, failed->awaited ? RowEnd::kAwaited : RowEnd::kFailed, now);
  }
  if (const auto* diagnostic = std::get_if<DiagnosticEvent>(&event)) return Diagnose(*diagnostic);
  if (const auto* stdout_event = std::get_if<StdoutEvent>(&event)) {
    std::string text = Printable(masking_.Text(StripAnsi(stdout_event->message)), true);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return Say(nullptr, Severity::kInfo, std::move(text));
  }
  if (const auto* policy = std::get_if<PolicyEvent>(&event)) Diagnose(*policy);
  if (const auto* fixed = std::get_if<PolicyRemediationEvent>(&event)) remediations_.push_back(*fixed);
  if (const auto* prelude = std::get_if<PreludeEvent>(&event)) prelude_ = *prelude;
  if (const auto* summary = std::get_if<SummaryEvent>(&event)) Conclude(*summary, now);
  return {};
}

// A program or a provider that failed has not made the stack what it should be, whatever became of the resources.
void DisplayRows::Conclude(const SummaryEvent& summary, DisplayClock::time_point now) {
  summary_ = summary;
  if (EndedWell()) return;
  for (DisplayRow& row : rows_) {
    // In a preview a read that fails ends with its error alone, and no event of a step.
    const bool failed_read = preview_ && row.phase == RowPhase::kRunning && !row.errors.empty();
    if ((row.type != kRootStackType && !failed_read) || row.phase == RowPhase::kFailed) continue;
    const bool failed = !row.errors.empty() || !loose_errors_.empty() || summary.result == "failed";
    if (!failed && row.phase != RowPhase::kRunning) continue;
    row.phase = failed ? RowPhase::kFailed : RowPhase::kInterrupted;
    row.ended = now;
    row.has_no_end_event = true;
    if (failed) ++errored_;
  }
  if (errored_ == 0 && !loose_errors_.empty()) errored_ = 1;  // it failed before it had so much as the stack
}

// The result of a run in which something is awaited reads "failed", too.
bool DisplayRows::EndedWell() const {
  if (summary_->result == "succeeded") return true;
  return summary_->result == "failed" && awaited_ > 0 && errored_ == 0 && loose_errors_.empty();
}

std::vector<const DisplayRow*> DisplayRows::Settle(DisplayClock::time_point now) {
  std::vector<const DisplayRow*> settled;
  if (!summary_) return settled;
  const bool succeeded = EndedWell();
  for (DisplayRow& row : rows_) {
    const bool half_done = row.is_replacement && !show_.replacement_steps && row.phase == RowPhase::kDone &&
                           row.new_half_done != row.old_half_done;
    if (half_done || row.has_no_end_event) {
      settled.push_back(&row);
    } else if (row.phase == RowPhase::kRunning) {
      row.phase = succeeded ? RowPhase::kDone : RowPhase::kInterrupted;
      row.ended = now;
      settled.push_back(&row);
    }
  }
  return settled;
}

bool DisplayRows::IsListed(const DisplayRow& row) const {
  if (row.phase == RowPhase::kFailed || row.phase == RowPhase::kAwaited || !row.errors.empty() || row.was_warned)
    return true;
  if (row.phase == RowPhase::kWaiting) return false;
  if (row.type == kRootStackType) {
    return row.step.op != StepOp::kSame || row.phase == RowPhase::kInterrupted || show_.sames;
  }
  if (row.step.op == StepOp::kRefresh) {
    return row.phase == RowPhase::kRunning || row.phase == RowPhase::kInterrupted || show_.sames;
  }
  return ShouldList(row.step, show_) || (IsReplacementStep(row.step.op) && row.step.op != StepOp::kReadReplacement);
}

}  // namespace kingpost
