// SPDX-License-Identifier: Apache-2.0
// One reader per kind of event, in the order of the writer.
#include "console/display/event_reader.h"

#include "base/json_access.h"
#include "model/deployment_json.h"
#include "model/resource_fields.h"

namespace kingpost {

namespace {

using nlohmann::json;

// The writer of the events has replaced each secret by a mask. The reader decodes the mask as a secret.
class MaskedSecrets : public SecretsManager {
 public:
  std::string type() const override { return "masked"; }
  std::string state() const override { return "{}"; }
  Result<std::string> Encrypt(const std::string& plaintext) override { return plaintext; }
  Result<std::string> Decrypt(const std::string&) override { return std::string("\"[secret]\""); }
};

// Events name lists as programs do, records have names of their own.
json AsRecorded(json state) {
  ForEachResourceField([&state](const auto& field) {
    if (!field.use.in_events || field.program == field.record) return;
    const json* const told = FieldOf(state, field.program);
    if (told) state[std::string(field.record)] = json(*told);
  });
  return state;
}

StatePtr ReadState(const json& state) {
  static MaskedSecrets* const masked = new MaskedSecrets();
  DecodeOptions options;
  options.secrets = masked;
  Result<StatePtr> decoded = DecodeState(AsRecorded(state).dump(), options);
  return decoded.ok() ? *std::move(decoded) : nullptr;
}

StatePtr StateIn(const json& metadata, const char* key) {
  const json* const state = FieldOf(metadata, key);
  return state && state->is_object() ? ReadState(*state) : nullptr;
}

std::vector<std::string> TextsOf(const json& object, const char* key) {
  std::vector<std::string> texts;
  for (const json& one : kingpost::ListOf(object, key)) texts.push_back(TextIn(one));
  return texts;
}

std::map<std::string, std::string> TextMapOf(const json& object, const char* key) {
  std::map<std::string, std::string> texts;
  const json map = ObjectOf(object, key);
  for (const auto& [name, value] : map.items()) texts[name] = TextIn(value);
  return texts;
}

// The writer ends each message as the reference does.
std::string MessageOf(const json& object) {
  std::string message = TextOf(object, "message");
  if (message.ends_with('\n')) message.pop_back();
  return message;
}

std::optional<DetailedDiff> DetailedOf(const json& metadata) {
  const json* const detailed = FieldOf(metadata, "detailedDiff");
  if (!detailed || !detailed->is_object()) return std::nullopt;
  DetailedDiff diffs;
  for (const auto& [path, diff] : detailed->items()) {
    const std::optional<DiffKind> kind = ParseDiffKind(TextOf(diff, "diffKind"));
    if (kind) diffs[path] = {*kind, BoolOf(diff, "inputDiff")};
  }
  return diffs;
}

StepMetadata MetadataOf(const json& event) {
  const json metadata = ObjectOf(event, "metadata");
  StepMetadata step;
  step.op = ParseStepOp(TextOf(metadata, "op")).value_or(StepOp::kSame);
  step.urn = Urn(TextOf(metadata, "urn"));
  step.type = TextOf(metadata, "type");
  step.old_state = StateIn(metadata, "old");
  step.new_state = StateIn(metadata, "new");
  step.keys = TextsOf(metadata, "keys");
  step.diffs = TextsOf(metadata, "diffs");
  step.detailed = DetailedOf(metadata);
  step.logical = BoolOf(metadata, "logical");
  step.provider = TextOf(metadata, "provider");
  return step;
}

template <class Word>
Word WordOf(const std::string& text, std::initializer_list<Word> words, const char* (*name)(Word)) {
  for (const Word word : words) {
    if (text == name(word)) return word;
  }
  return *words.begin();
}

DiagnosticEvent ReadDiagnostic(const json& event) {
  DiagnosticEvent read;
  read.urn = Urn(TextOf(event, "urn"));
  read.prefix = TextOf(event, "prefix");
  read.message = MessageOf(event);
  read.color = TextOf(event, "color");
  read.severity = WordOf(TextOf(event, "severity"),
                         {Severity::kInfo, Severity::kDebug, Severity::kWarning, Severity::kError, Severity::kInfoErr},
                         SeverityName);
  read.stream_id = static_cast<int>(IntegerOf(event, "streamID"));
  read.ephemeral = BoolOf(event, "ephemeral");
  return read;
}

SummaryEvent ReadSummary(const json& event) {
  SummaryEvent read;
  read.is_preview = BoolOf(event, "isPreview");
  read.maybe_corrupt = BoolOf(event, "maybeCorrupt");
  read.duration_s = static_cast<double>(IntegerOf(event, "durationSeconds"));
  const json changes = ObjectOf(event, "resourceChanges");
  for (const auto& [op, count] : changes.items()) read.resource_changes[op] = static_cast<int>(IntegerIn(count));
  read.policy_packs = TextMapOf(event, "PolicyPacks");
  read.result = TextOf(event, "result");
  return read;
}

ResourceFailedEvent ReadFailed(const json& event) {
  ResourceFailedEvent read;
  read.metadata = MetadataOf(event);
  read.status = static_cast<int>(IntegerOf(event, "status"));
  read.steps = static_cast<int>(IntegerOf(event, "steps"));
  read.awaited = BoolOf(event, "awaited");
  return read;
}

PolicyEvent ReadPolicy(const json& event) {
  PolicyEvent read;
  read.urn = Urn(TextOf(event, "resourceUrn"));
  read.color = TextOf(event, "color");
  read.diagnostic.urn = read.urn;
  read.diagnostic.message = MessageOf(event);
  read.diagnostic.policy = TextOf(event, "policyName");
  read.diagnostic.pack = TextOf(event, "policyPackName");
  read.diagnostic.pack_version = TextOf(event, "policyPackVersion");
  read.diagnostic.severity = TextOf(event, "severity");
  read.diagnostic.level = WordOf(TextOf(event, "enforcementLevel"),
                                 {EnforcementLevel::kAdvisory, EnforcementLevel::kMandatory,
                                  EnforcementLevel::kRemediate, EnforcementLevel::kDisabled},
                                 EnforcementLevelName);
  for (const json& one : kingpost::ListOf(event, "exceptions")) {
    read.exceptions.push_back({TextOf(one, "id"), TextOf(one, "reason")});
  }
  return read;
}

PolicyRemediationEvent ReadRemediation(const json& event) {
  PolicyRemediationEvent read;
  read.urn = Urn(TextOf(event, "resourceUrn"));
  read.color = TextOf(event, "color");
  read.remediation.policy = TextOf(event, "policyName");
  read.remediation.pack = TextOf(event, "policyPackName");
  read.remediation.pack_version = TextOf(event, "policyPackVersion");
  const json both = {{"urn", read.urn.str()},
                     {"type", "(policy)"},
                     {"inputs", ObjectOf(event, "before")},
                     {"outputs", ObjectOf(event, "after")}};
  if (const StatePtr state = ReadState(both)) {
    read.before = state->inputs;
    read.after = state->outputs;
  }
  return read;
}

template <class E>
E ReadPackResults(const json& event) {
  E read;
  if constexpr (requires { read.urn; }) read.urn = Urn(TextOf(event, "resourceUrn"));
  read.pack = TextOf(event, "policyPackName");
  read.version = TextOf(event, "policyPackVersion");
  read.passed = TextsOf(event, "passed");
  read.failed = TextsOf(event, "failed");
  return read;
}

ProgressEvent ReadProgress(const json& event) {
  ProgressEvent read;
  read.type = TextOf(event, "type");
  read.id = TextOf(event, "id");
  read.message = TextOf(event, "message");
  read.received = IntegerOf(event, "received");
  read.total = IntegerOf(event, "total");
  read.done = BoolOf(event, "done");
  return read;
}

using Reader = EngineEvent (*)(const json& event);

struct Kind {
  const char* name;
  Reader read;
};

constexpr Kind kKinds[] = {
    {"resourcePreEvent",
     [](const json& event) -> EngineEvent {
       return ResourcePreEvent{MetadataOf(event), BoolOf(event, "planning")};
     }},
    {"resOutputsEvent",
     [](const json& event) -> EngineEvent {
       return ResourceOutputsEvent{MetadataOf(event), BoolOf(event, "planning")};
     }},
    {"diagnosticEvent", [](const json& event) -> EngineEvent { return ReadDiagnostic(event); }},
    {"resOpFailedEvent", [](const json& event) -> EngineEvent { return ReadFailed(event); }},
    {"summaryEvent", [](const json& event) -> EngineEvent { return ReadSummary(event); }},
    {"preludeEvent", [](const json& event) -> EngineEvent { return PreludeEvent{TextMapOf(event, "config")}; }},
    {"cancelEvent", [](const json&) -> EngineEvent { return CancelEvent(); }},
    {"stdoutEvent",
     [](const json& event) -> EngineEvent {
       return StdoutEvent{TextOf(event, "message"), TextOf(event, "color")};
     }},
    {"policyEvent", [](const json& event) -> EngineEvent { return ReadPolicy(event); }},
    {"policyRemediationEvent", [](const json& event) -> EngineEvent { return ReadRemediation(event); }},
    {"policyLoadEvent", [](const json&) -> EngineEvent { return PolicyLoadEvent(); }},
    {"policyAnalyzeSummaryEvent",
     [](const json& event) -> EngineEvent { return ReadPackResults<PolicyAnalyzeSummaryEvent>(event); }},
    {"policyRemediateSummaryEvent",
     [](const json& event) -> EngineEvent { return ReadPackResults<PolicyRemediateSummaryEvent>(event); }},
    {"policyAnalyzeStackSummaryEvent",
     [](const json& event) -> EngineEvent { return ReadPackResults<PolicyAnalyzeStackSummaryEvent>(event); }},
    {"progressEvent", [](const json& event) -> EngineEvent { return ReadProgress(event); }},
    {"errorEvent", [](const json& event) -> EngineEvent { return ErrorEvent{TextOf(event, "error")}; }},
};

}  // namespace

std::optional<EngineEvent> ReadEvent(const json& line) {
  for (const Kind& kind : kKinds) {
    if (const json* const event = FieldOf(line, kind.name)) return kind.read(*event);
  }
  return std::nullopt;
}

}  // namespace kingpost
