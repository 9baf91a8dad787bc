// SPDX-License-Identifier: Apache-2.0
#include "bindings/events.h"

#include "bindings/outcome.h"
#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

py::dict EventOf(const char* kind) {
  py::dict dict;
  dict["kind"] = kind;
  return dict;
}

py::dict WithUrn(const char* kind, const Urn& urn) {
  py::dict dict = EventOf(kind);
  dict["urn"] = Text(urn.str());
  return dict;
}

py::dict StepEvent(const char* kind, const StepMetadata& metadata, StepEnd end) {
  py::dict dict = WithUrn(kind, metadata.urn);
  dict["step"] = DescribeStep(metadata, end);
  return dict;
}

// One overload for each kind that Python gets; none for kinds that only a display needs.
struct Describe {
  py::object operator()(const ResourcePreEvent& event) const {
    return StepEvent("begin", event.metadata, StepEnd::kWell);
  }
  py::object operator()(const ResourceOutputsEvent& event) const {
    return StepEvent("end", event.metadata, StepEnd::kWell);
  }
  py::object operator()(const ResourceFailedEvent& event) const {
    return event.awaited ? StepEvent("awaiting", event.metadata, StepEnd::kAwaited)
                         : StepEvent("failed", event.metadata, StepEnd::kFailed);
  }
  py::object operator()(const DiagnosticEvent& event) const {
    py::dict dict = WithUrn("diagnostic", event.urn);
    dict["severity"] = SeverityName(event.severity);
    dict["message"] = Text(event.message);
    return dict;
  }
  py::object operator()(const PolicyEvent& event) const {
    py::dict dict = WithUrn("policy", event.urn);
    dict["severity"] = event.forbids() ? "error" : "warning";
    dict["message"] = Text(event.diagnostic.message);
    dict["policy"] = Text(event.diagnostic.policy);
    return dict;
  }
  py::object operator()(const PolicyRemediationEvent& event) const {
    py::dict dict = WithUrn("remediation", event.urn);
    dict["message"] = Text(event.remediation.diagnostic);
    dict["policy"] = Text(event.remediation.policy);
    return dict;
  }
  py::object operator()(const ErrorEvent& event) const {
    py::dict dict = EventOf("diagnostic");
    dict["severity"] = "error";
    dict["message"] = Text(event.error);
    return dict;
  }
  py::object operator()(const ProgressEvent& event) const {
    py::dict dict = EventOf("progress");
    dict["message"] = Text(event.message);
    return dict;
  }
  py::object operator()(const SummaryEvent& event) const {
    py::dict dict = EventOf("summary");
    py::dict changes;
    for (const auto& [op, count] : event.resource_changes) changes[Text(op)] = count;
    dict["changes"] = changes;
    dict["message"] = Text(event.result);
    return dict;
  }
  template <class Other>
  py::object operator()(const Other&) const {
    return py::none();
  }
};

bool IsInternal(const EngineEvent& event) {
  const auto internal = [](const auto* step) { return step && step->metadata.internal; };
  return internal(std::get_if<ResourcePreEvent>(&event)) || internal(std::get_if<ResourceOutputsEvent>(&event)) ||
         internal(std::get_if<ResourceFailedEvent>(&event));
}

}  // namespace

py::list DescribeEvents(const std::vector<EngineEvent>& events) {
  py::list described;
  for (const EngineEvent& event : events) {
    if (IsInternal(event)) continue;
    py::object dict = std::visit(Describe(), event);
    if (!dict.is_none()) described.append(dict);
  }
  return described;
}

}  // namespace kingpost::python
