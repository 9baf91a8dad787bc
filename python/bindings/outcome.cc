// SPDX-License-Identifier: Apache-2.0
#include "bindings/outcome.h"

#include "bindings/values.h"
#include "decisions/reason.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

py::object DescribeState(const StatePtr& state) {
  if (!state) return py::none();
  py::dict dict;
  dict["urn"] = Text(state->urn.str());
  dict["type"] = Text(state->type);
  dict["name"] = Text(std::string(state->urn.name()));
  dict["id"] = Text(state->id);
  dict["custom"] = state->custom;
  dict["inputs"] = ToPython(state->inputs);
  dict["outputs"] = ToPython(state->outputs);
  dict["parent"] = Text(state->parent.str());
  dict["protect"] = state->protect;
  dict["external"] = state->external;
  dict["dependencies"] = Texts(state->dependencies);
  dict["provider"] = Text(state->provider);
  dict["pending_delete"] = state->pending_delete;
  dict["init_errors"] = Texts(state->init_errors);
  return dict;
}

py::object DescribeDetailed(const std::optional<DetailedDiff>& detailed) {
  if (!detailed) return py::none();
  py::dict dict;
  for (const auto& [path, diff] : *detailed) dict[Text(path)] = DiffKindName(diff.kind);
  return dict;
}

py::object DescribeReason(const std::shared_ptr<const decisions::Reason>& reason) {
  if (!reason) return py::none();
  py::dict dict;
  dict["rule"] = Text(std::string(decisions::RuleName(reason->rule)));
  dict["said"] = Text(decisions::ReasonText(*reason));
  dict["source"] = Text(std::string(decisions::SourceName(reason->source)));
  dict["properties"] = Texts(reason->properties);
  dict["by"] = Text(reason->by.str());
  return dict;
}

// A step of the result: begun by its first event, completed by its last.
struct Step {
  StepMetadata metadata;
  bool ended = false;
  StepEnd end = StepEnd::kWell;
};

class StepList {
 public:
  void Begin(const StepMetadata& metadata) {
    if (metadata.internal) return;
    steps_.push_back({metadata});
    open_[metadata.urn].push_back(steps_.size() - 1);
  }

  // The open step of that resource; a refresh ends as the kind of change it found.
  void End(const StepMetadata& metadata, StepEnd end) {
    if (metadata.internal) return;
    for (const size_t index : open_[metadata.urn]) {
      Step& step = steps_[index];
      if (step.ended || (step.metadata.op != metadata.op && step.metadata.op != StepOp::kRefresh)) continue;
      step = {metadata, true, end};
      return;
    }
    // Outputs registered later belong to the step that made the resource.
    for (const size_t index : open_[metadata.urn]) {
      if (steps_[index].metadata.op == metadata.op && end == StepEnd::kWell) {
        steps_[index].metadata = metadata;
        return;
      }
    }
    Begin(metadata);
    steps_.back().ended = true;
    steps_.back().end = end;
  }

  const std::vector<Step>& steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
  std::map<Urn, std::vector<size_t>> open_;
};

py::dict Diagnostic(const char* severity, const std::string& message, const Urn& urn, const std::string& policy) {
  py::dict dict;
  dict["severity"] = severity;
  dict["message"] = Text(message);
  dict["urn"] = Text(urn.str());
  dict["policy"] = Text(policy);
  return dict;
}

void AddDiagnostic(const EngineEvent& event, py::list* list) {
  if (const auto* said = std::get_if<DiagnosticEvent>(&event)) {
    if (said->ephemeral || said->severity == Severity::kDebug) return;
    list->append(Diagnostic(SeverityName(said->severity), said->message, said->urn, ""));
  } else if (const auto* policy = std::get_if<PolicyEvent>(&event)) {
    list->append(Diagnostic(policy->forbids() ? "error" : "warning", policy->diagnostic.message, policy->urn,
                            policy->diagnostic.policy));
  } else if (const auto* error = std::get_if<ErrorEvent>(&event)) {
    list->append(Diagnostic("error", error->error, Urn(), ""));
  }
}

void AddStep(const EngineEvent& event, StepList* steps) {
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
    steps->Begin(pre->metadata);
  } else if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
    steps->End(outputs->metadata, StepEnd::kWell);
  } else if (const auto* failed = std::get_if<ResourceFailedEvent>(&event)) {
    steps->End(failed->metadata, failed->awaited ? StepEnd::kAwaited : StepEnd::kFailed);
  }
}

StatePtr RootOf(const Snapshot& snapshot) {
  StatePtr root;
  for (const StatePtr& state : snapshot.resources) {
    if (state->type == kRootStackType && !state->pending_delete) root = state;
  }
  return root;
}

// The outputs of the root stack: as this run has them, else as they are recorded.
py::dict StackOutputs(const StepList& steps, const RunOutcome& outcome) {
  StatePtr root = outcome.snapshot ? RootOf(*outcome.snapshot) : nullptr;
  for (const Step& step : steps.steps()) {
    if (step.metadata.type == kRootStackType) root = step.metadata.new_state;
  }
  return root ? ToPython(root->outputs) : py::dict();
}

}  // namespace

py::dict DescribeStep(const StepMetadata& metadata, StepEnd end) {
  py::dict dict;
  dict["op"] = StepOpName(metadata.op);
  dict["urn"] = Text(metadata.urn.str());
  dict["type"] = Text(metadata.type);
  dict["old"] = DescribeState(metadata.old_state);
  dict["new"] = DescribeState(metadata.new_state);
  dict["keys"] = Texts(metadata.keys);
  dict["diffs"] = Texts(metadata.diffs);
  dict["detailed"] = DescribeDetailed(metadata.detailed);
  dict["reason"] = DescribeReason(metadata.because);
  dict["failed"] = end == StepEnd::kFailed;
  dict["awaiting"] = end == StepEnd::kAwaited;
  return dict;
}

py::dict RecordedOutputs(const Snapshot& snapshot) {
  const StatePtr root = RootOf(snapshot);
  return root ? ToPython(root->outputs) : py::dict();
}

py::list DescribeResources(const Snapshot& snapshot) {
  py::list list;
  for (const StatePtr& state : snapshot.resources) list.append(DescribeState(state));
  return list;
}

py::dict DescribeOutcome(const RunOutcome& outcome) {
  StepList steps;
  py::list diagnostics;
  py::dict summary;
  for (const EngineEvent& event : outcome.events) {
    AddStep(event, &steps);
    AddDiagnostic(event, &diagnostics);
  }
  for (const auto& [op, count] : outcome.result.changes) summary[Text(op)] = count;
  py::list described;
  for (const Step& step : steps.steps()) described.append(DescribeStep(step.metadata, step.end));

  py::dict dict;
  dict["ok"] = outcome.status.ok();
  dict["cancelled"] = outcome.status.code() == Code::kCancelled;
  dict["message"] = Text(outcome.status.message());
  dict["steps"] = described;
  dict["diagnostics"] = diagnostics;
  dict["summary"] = summary;
  dict["outputs"] = StackOutputs(steps, outcome);
  dict["resources"] = outcome.snapshot ? DescribeResources(*outcome.snapshot) : py::list();
  dict["has_changes"] = outcome.result.has_changes;
  dict["kind"] = KindOfFailure(outcome.status);
  dict["program_failed"] = outcome.program_failed;
  dict["plan"] = Text(outcome.result.plan_json);
  return dict;
}

}  // namespace kingpost::python
