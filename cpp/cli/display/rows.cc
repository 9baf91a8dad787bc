// How events become rows and rows become lines. Sections below the list are in rows_footer.cc.
#include "cli/display/rows.h"

#include "cli/display/diff.h"
#include "cli/display/labels.h"

namespace kingpost {

bool Row::has(Severity severity) const {
  for (const RowMessage& message : messages) {
    if (message.severity == severity) return true;
  }
  return false;
}

Row& Rows::RowOf(const Urn& urn, const std::string& type) {
  const auto [found, is_new] = row_of_.emplace(urn, rows_.size());
  if (is_new) {
    Row row;
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
void Rows::Adopt(const StepMetadata& step, Row* row) {
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  if (state) row->parent = state->parent;
  const bool part_of_replacement = step.op == StepOp::kCreateReplacement || step.op == StepOp::kDeleteReplaced ||
                                   step.op == StepOp::kDiscardReplaced;
  const StepOp former = row->step.op;
  row->step = step;
  if (part_of_replacement && !show_.replacement_steps) row->step.op = StepOp::kReplace;
  // What a refresh or an earlier step of this resource has shown stays until something else happens to it.
  if (step.op == StepOp::kSame && former != StepOp::kSame && former != StepOp::kRefresh) row->step.op = former;
}

RowChange Rows::Begin(const StepMetadata& step, DisplayClock::time_point now) {
  Row& row = RowOf(step.urn, step.type);
  row.is_refresh = step.op == StepOp::kRefresh;
  Adopt(step, &row);
  if (row.phase == RowPhase::kWaiting || row.steps_running == 0) row.started = now;
  ++row.steps_running;
  if (row.phase != RowPhase::kFailed) row.phase = RowPhase::kRunning;
  return {&row, true, false};
}

RowChange Rows::End(const StepMetadata& step, bool failed, DisplayClock::time_point now) {
  Row& row = RowOf(step.urn, step.type);
  const bool was_over = row.steps_running == 0 && row.phase == RowPhase::kDone;
  if (row.steps_running > 0) --row.steps_running;
  Adopt(step, &row);
  row.ended = now;
  if (failed && row.phase != RowPhase::kFailed) ++errored_;
  if (row.phase != RowPhase::kFailed) row.phase = failed ? RowPhase::kFailed : RowPhase::kDone;
  return {&row, false, !was_over};
}

void Rows::Diagnose(const DiagnosticEvent& event) {
  if (event.severity == Severity::kDebug && !show_.debug) return;
  std::string text = Printable(masking_.Text(StripAnsi(event.message)), true);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (event.ephemeral) {
    (event.urn.empty() ? status_ : RowOf(event.urn, "").status) = text.substr(0, text.find('\n'));
    return;
  }
  if (text.empty() && event.severity != Severity::kInfo) return;
  std::vector<RowMessage>& messages = event.urn.empty() ? loose_messages_ : RowOf(event.urn, "").messages;
  messages.push_back({event.severity, std::move(text)});
}

void Rows::Diagnose(const PolicyEvent& event) {
  violations_.push_back(event);
  violations_.back().diagnostic.message = Printable(masking_.Text(StripAnsi(event.diagnostic.message)), true);
}

RowChange Rows::Apply(const EngineEvent& event, DisplayClock::time_point now) {
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
    return pre->metadata.internal ? RowChange() : Begin(pre->metadata, now);
  }
  if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
    return outputs->metadata.internal ? RowChange() : End(outputs->metadata, false, now);
  }
  if (const auto* failed = std::get_if<ResourceFailedEvent>(&event)) return End(failed->metadata, true, now);
  if (const auto* diagnostic = std::get_if<DiagnosticEvent>(&event)) Diagnose(*diagnostic);
  if (const auto* stdout_event = std::get_if<StdoutEvent>(&event)) {
    loose_messages_.push_back({Severity::kInfo, Printable(masking_.Text(StripAnsi(stdout_event->message)), true)});
  }
  if (const auto* policy = std::get_if<PolicyEvent>(&event)) Diagnose(*policy);
  if (const auto* fixed = std::get_if<PolicyRemediationEvent>(&event)) remediations_.push_back(*fixed);
  if (const auto* prelude = std::get_if<PreludeEvent>(&event)) prelude_ = *prelude;
  if (const auto* summary = std::get_if<SummaryEvent>(&event)) summary_ = *summary;
  return {};
}

std::vector<const Row*> Rows::Settle(DisplayClock::time_point now) {
  std::vector<const Row*> settled;
  if (!summary_ || summary_->result != "succeeded") return settled;
  for (Row& row : rows_) {
    if (row.phase != RowPhase::kRunning) continue;
    row.phase = RowPhase::kDone;
    row.ended = now;
    settled.push_back(&row);
  }
  return settled;
}

bool Rows::IsListed(const Row& row) const {
  if (row.phase == RowPhase::kFailed || row.has(Severity::kError) || row.has(Severity::kWarning)) return true;
  if (row.phase == RowPhase::kWaiting) return false;
  if (row.type == kRootStackType) return row.step.op != StepOp::kSame || show_.sames;
  if (row.step.op == StepOp::kRefresh) return row.phase == RowPhase::kRunning || show_.sames;
  return ShouldList(row.step, show_) || (IsReplacementStep(row.step.op) && row.step.op != StepOp::kReadReplacement);
}

std::string Rows::StateWords(const Row& row, DisplayClock::time_point now, const Painter& painter) const {
  const StepLabel& label = LabelOf(row.step.op);
  const double seconds =
      std::chrono::duration<double>((row.phase == RowPhase::kRunning ? now : row.ended) - row.started).count();
  const std::string timing = " (" + ShortDuration(seconds) + ")";
  if (row.phase == RowPhase::kFailed) {
    const std::string doing = *label.doing ? std::string(label.doing) + " failed" : "failed";
    return painter.Paint(Style::kRed, "**" + doing + "**") + (preview_ ? "" : timing);
  }
  if (preview_) return painter.Paint(label.style, label.planned);
  if (row.phase == RowPhase::kRunning) return painter.Paint(label.style, label.doing) + timing;
  if (row.phase == RowPhase::kDone && *label.done) return painter.Paint(label.style, label.done) + timing;
  return "";
}

std::string Rows::Line(const Row& row, DisplayClock::time_point now, const Painter& painter) const {
  const StepLabel& label = LabelOf(row.step.op);
  std::string line = painter.Paint(label.style, label.mark) + " ";
  line += show_.urns ? Printable(row.urn.str()) : Printable(row.type) + " " + painter.Bold(Printable(row.name));
  if (const std::string words = StateWords(row, now, painter); !words.empty()) line += " " + words;
  if (row.step.op != StepOp::kCreate && row.step.op != StepOp::kDelete) {
    if (const std::string keys = ChangedKeys(row.step, painter); !keys.empty()) line += " [diff: " + keys + "]";
  }
  if (row.phase == RowPhase::kRunning && !row.status.empty()) line += " " + painter.Paint(Style::kDim, row.status);
  for (const RowMessage& message : row.messages) {
    if (message.severity != Severity::kError) continue;
    line += "; " + painter.Paint(Style::kRed, "error: ") + message.text.substr(0, message.text.find('\n'));
    break;
  }
  return line;
}

}  // namespace kingpost
