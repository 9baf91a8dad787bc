// SPDX-License-Identifier: Apache-2.0
#include "engine/reporter.h"

#include "decisions/failures.h"
#include "model/secret_sides.h"

namespace kingpost::engine {

namespace {

// Sinks may keep it while the step goes on.
StatePtr CopyOf(const decisions::Draft& draft) { return draft ? std::make_shared<const State>(*draft) : nullptr; }

// Ended steps are published and never change; both halves of a replacement have one draft.
StatePtr AtTheEndOf(const decisions::Step& step) {
  return step.op == StepOp::kReplace ? CopyOf(step.new_state) : step.new_state;
}

// A read counts only if it brought something new about a resource that was known (row 10.6).
bool ReadChangedOutputs(const decisions::Step& step) {
  if (!step.new_state || !step.old_state) return false;
  return !DeepEqual(step.old_state->outputs, step.new_state->outputs);
}

}  // namespace

// [A was replaced, and its old side waits for its delete]: events from then on show the mark, as the record does.
StatePtr Reporter::WithPendingDeleteMark(const StatePtr& old_state) const {
  if (!old_state || old_state->pending_delete || !rows_.WaitsForDelete(old_state)) return old_state;
  auto condemned = std::make_shared<State>(*old_state);
  condemned->pending_delete = true;
  return condemned;
}

StepMetadata Reporter::Metadata(StepOp op, const decisions::Step& step, StatePtr new_state) const {
  StepMetadata metadata;
  metadata.op = op;
  // A refresh with the program that finds nothing ends under the name under which it began.
  metadata.urn = step.op == StepOp::kRefresh ? rows_.CurrentUrn(step.urn()) : step.urn();
  metadata.type = step.type();
  metadata.old_state = WithPendingDeleteMark(step.old_state);
  metadata.new_state = std::move(new_state);
  ShareSecrets(&metadata.old_state, &metadata.new_state);
  metadata.keys = step.keys;
  metadata.diffs = step.diffs;
  metadata.detailed = step.detailed;
  metadata.because = step.because;
  metadata.logical = step.logical();
  metadata.provider = step.provider();
  metadata.internal = step.internal();
  return metadata;
}

void Reporter::Emit(const EngineEvent& event) {
  if (sink_) sink_->Emit(event);
}

void Reporter::Log(Severity severity, const Urn& urn, const std::string& message, int stream_id, bool ephemeral) {
  DiagnosticEvent event;
  event.urn = urn;
  event.message = message;
  event.severity = severity;
  event.stream_id = stream_id;
  event.ephemeral = ephemeral;
  if (severity != Severity::kInfo && severity != Severity::kInfoErr) {
    event.prefix = std::string(SeverityName(severity)) + ": ";
  }
  Emit(event);
}

void Reporter::Error(const Urn& urn, const std::string& message) { Log(Severity::kError, urn, message, 0, false); }

void Reporter::Refuse(const Urn& urn, const std::string& message) {
  Error(urn, message);
  refused_ = true;
}

void Reporter::Warning(const Urn& urn, const std::string& message) { Log(Severity::kWarning, urn, message, 0, false); }

void Reporter::Info(const Urn& urn, const std::string& message) { Log(Severity::kInfo, urn, message, 0, false); }

void Reporter::Report(const Urn& urn, const Status& status) {
  if (decisions::IsReportedSeparately(status)) Error(urn, status.message());
}

void Reporter::StepBegan(const decisions::Step& step) {
  ResourcePreEvent event;
  event.metadata = Metadata(step.op, step, CopyOf(step.new_state));
  event.planning = options_.preview;
  Emit(event);
}

void Reporter::Count(StepOp op) {
  ++changes_[StepOpName(op)];
  ++steps_;
  has_changes_ = has_changes_ || decisions::IsChange(op);
}

void Reporter::StepEnded(const decisions::Step& step) {
  StepOp op = step.op;
  bool counts = step.logical();
  if (op == StepOp::kRefresh && options_.kind == OperationKind::kRefresh) {
    op = step.refresh_result;
    counts = true;
  }
  if (op == StepOp::kRead) counts = ReadChangedOutputs(step);
  if (counts && !step.internal()) Count(op);
  const State& state = step.resource();
  const bool shown = options_.preview || state.custom || step.op == StepOp::kDelete || state.is_view() ||
                     (options_.refresh && step.op == StepOp::kRefresh);
  if (!shown) return;
  ResourceOutputsEvent event;
  event.metadata = Metadata(op, step, AtTheEndOf(step));
  event.planning = options_.preview;
  Emit(event);
}

void Reporter::StepFailed(const decisions::Step& step, const Status& error, bool partial) {
  const Urn urn = step.internal() ? Urn() : step.urn();
  const bool awaited = decisions::IsAwaited(error);
  Log(awaited ? Severity::kWarning : Severity::kError, urn, decisions::StepFailureText(error, options_.preview), 0,
      false);
  if (options_.preview) return;
  if (!partial && decisions::IsOutcomeUnknown(error)) maybe_corrupt_ = true;
  ResourceFailedEvent event;
  event.metadata = Metadata(step.op, step, CopyOf(step.new_state));
  event.status = decisions::StatusNumberOf(error, partial);
  event.steps = steps_;
  event.awaited = awaited;
  Emit(event);
}

void Reporter::OutputsRegistered(const decisions::Step& step) {
  ResourceOutputsEvent event;
  event.metadata = Metadata(step.op, step, AtTheEndOf(step));
  event.planning = options_.preview;
  Emit(event);
}

}  // namespace kingpost::engine
