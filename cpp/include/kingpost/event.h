// SPDX-License-Identifier: Apache-2.0
// Events that the engine emits while it works (group 10). Events are values; a sink gets each in order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kingpost/analyzer.h"
#include "kingpost/monitor.h"
#include "model/resource.h"
#include "model/value_diff.h"

namespace kingpost {

namespace decisions {
struct Reason;  // decisions/reason.h
}

enum class StepOp {
  kSame,
  kCreate,
  kUpdate,
  kDelete,
  kReplace,
  kCreateReplacement,
  kDeleteReplaced,
  kRead,
  kReadReplacement,
  kRefresh,
  kDiscard,
  kDiscardReplaced,
  kRemovePendingReplace,
  kImport,
  kImportReplacement,
  kDiff,
  kExtendParameterize
};
const char* StepOpName(StepOp op);  // "same", "create-replacement", "discard-replaced", ...
std::optional<StepOp> ParseStepOp(std::string_view name);

struct StepMetadata {
  StepOp op = StepOp::kSame;
  Urn urn;
  std::string type;
  StatePtr old_state, new_state;   // null where there is none
  std::vector<std::string> keys;   // that force a replacement
  std::vector<std::string> diffs;  // changed top-level keys
  std::optional<DetailedDiff> detailed;
  std::shared_ptr<const decisions::Reason> because;  // why; null for what a provider shows
  bool logical = true;
  std::string provider;
  bool internal = false;  // default providers and the like: hidden and not counted (row 10.6)
};

struct CancelEvent {};
struct StdoutEvent {
  std::string message, color;
};
struct DiagnosticEvent {
  Urn urn;
  std::string prefix, message, color = "never";
  Severity severity = Severity::kInfo;
  int stream_id = 0;
  bool ephemeral = false;
};
struct PreludeEvent {
  std::map<std::string, std::string> config;
};  // secrets blinded
struct SummaryEvent {
  bool is_preview = false, maybe_corrupt = false;
  double duration_s = 0;
  std::map<std::string, int> resource_changes;      // op name -> count
  std::map<std::string, std::string> policy_packs;  // name -> version
  std::string result;                               // "succeeded", "failed", "canceled"
};
struct ResourcePreEvent {
  StepMetadata metadata;
  bool planning = false;
};
struct ResourceOutputsEvent {
  StepMetadata metadata;
  bool planning = false;
};
struct ResourceFailedEvent {
  StepMetadata metadata;
  int status = 0;
  int steps = 0;
  bool awaited = false;  // it has not failed: it waits for something
};
struct PolicyEvent {
  Urn urn;
  PolicyDiagnostic diagnostic;
  std::vector<AppliedException> exceptions;  // that allow it
  bool forbids() const { return diagnostic.level == EnforcementLevel::kMandatory && exceptions.empty(); }
  std::string color = "never";
};
struct PolicyRemediationEvent {
  Urn urn;
  Remediation remediation;
  PropertyMap before, after;
  std::string color = "never";
};
struct PolicyLoadEvent {};
struct PolicyAnalyzeSummaryEvent {
  Urn urn;
  std::string pack, version;
  std::vector<std::string> passed, failed;
};
struct PolicyRemediateSummaryEvent {
  Urn urn;
  std::string pack, version;
  std::vector<std::string> passed, failed;
};
struct PolicyAnalyzeStackSummaryEvent {
  std::string pack, version;
  std::vector<std::string> passed, failed;
};
struct StartDebuggingEvent {
  std::map<std::string, std::string> config;  // the values are JSON
  std::string message;
};
struct ProgressEvent {
  std::string type, id, message;
  int64_t received = 0, total = 0;
  bool done = false;
};
struct ErrorEvent {
  std::string error;
};

using EngineEvent =
    std::variant<CancelEvent, StdoutEvent, DiagnosticEvent, PreludeEvent, SummaryEvent, ResourcePreEvent,
                 ResourceOutputsEvent, ResourceFailedEvent, PolicyEvent, PolicyRemediationEvent, PolicyLoadEvent,
                 PolicyAnalyzeSummaryEvent, PolicyRemediateSummaryEvent, PolicyAnalyzeStackSummaryEvent,
                 StartDebuggingEvent, ProgressEvent, ErrorEvent>;

// A seam: terminal, JSON lines, Python callable, recorder. Emit is called on the engine thread and must not
// block it; slow sinks queue.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void Emit(const EngineEvent& event) = 0;
};

}  // namespace kingpost
