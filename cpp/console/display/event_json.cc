// SPDX-License-Identifier: Apache-2.0
// One writer per kind of event. Field order and presence are part of the format.
#include "console/display/event_json.h"

#include <cmath>

#include "console/display/reason_json.h"
#include "console/display/terminal.h"
#include "model/deployment_json.h"
#include "model/json_writer.h"
#include "model/resource_fields.h"

namespace kingpost {

namespace {

// "Encrypts" everything to the mask: what an event shows of a secret cannot be turned back.
class BlindingManager : public SecretsManager {
 public:
  std::string type() const override { return "blinding"; }
  std::string state() const override { return "{}"; }
  Result<std::string> Encrypt(const std::string&) override { return std::string(kSecretMask); }
  Result<std::string> Decrypt(const std::string&) override { return std::string("\"[secret]\""); }
};

class EventWriter {
 public:
  EventWriter(JsonWriter* json, const Masking& masking) : json_(*json), masking_(masking) {}

  void operator()(const CancelEvent&) { Empty("cancelEvent"); }
  void operator()(const PolicyLoadEvent&) { Empty("policyLoadEvent"); }

  void operator()(const StdoutEvent& event) {
    Begin("stdoutEvent");
    Text("message", masking_.Text(event.message));
    Text("color", event.color);
    json_.EndObject();
  }

  void operator()(const DiagnosticEvent& event) {
    Begin("diagnosticEvent");
    json_.TextUnlessEmpty("urn", event.urn.str());
    json_.TextUnlessEmpty("prefix", masking_.Text(event.prefix));
    Text("message", masking_.Text(StripAnsi(event.message)) + "\n");  // as the reference ends all of them
    Text("color", event.color);
    Text("severity", SeverityName(event.severity));
    json_.IntUnlessZero("streamID", event.stream_id);
    json_.BoolIfTrue("ephemeral", event.ephemeral);
    json_.EndObject();
  }

  void operator()(const PreludeEvent& event) {
    Begin("preludeEvent");
    json_.Key("config");
    json_.TextMap(event.config);
    json_.EndObject();
  }

  void operator()(const SummaryEvent& event) {
    Begin("summaryEvent");
    json_.Key("maybeCorrupt");
    json_.Bool(event.maybe_corrupt);
    json_.Key("durationSeconds");
    json_.Int(static_cast<int64_t>(std::ceil(event.duration_s)));
    json_.Key("resourceChanges");
    json_.IntMap(event.resource_changes);
    json_.Key("PolicyPacks");
    json_.TextMap(event.policy_packs);
    json_.Key("isPreview");
    json_.Bool(event.is_preview);
    Text("result", event.result);
    json_.EndObject();
  }

  void operator()(const ResourcePreEvent& event) { Step("resourcePreEvent", event.metadata, event.planning); }
  void operator()(const ResourceOutputsEvent& event) { Step("resOutputsEvent", event.metadata, event.planning); }

  void operator()(const ResourceFailedEvent& event) {
    Begin("resOpFailedEvent");
    Metadata(event.metadata);
    json_.Key("status");
    json_.Int(event.status);
    json_.Key("steps");
    json_.Int(event.steps);
    json_.BoolIfTrue("awaited", event.awaited);
    json_.EndObject();
  }

  void operator()(const PolicyEvent& event) {
    const PolicyDiagnostic& diagnostic = event.diagnostic;
    Begin("policyEvent");
    json_.TextUnlessEmpty("resourceUrn", event.urn.str());
    Text("message", masking_.Text(diagnostic.message) + "\n");
    Text("color", event.color);
    Pack(diagnostic.policy, diagnostic.pack, diagnostic.pack_version);
    Text("enforcementLevel", EnforcementLevelName(diagnostic.level));
    json_.TextUnlessEmpty("severity", diagnostic.severity);
    Exceptions(event.exceptions);
    json_.EndObject();
  }

  void operator()(const PolicyRemediationEvent& event) {
    Begin("policyRemediationEvent");
    json_.TextUnlessEmpty("resourceUrn", event.urn.str());
    Text("color", "raw");  // in whatever color the others are
    Pack(event.remediation.policy, event.remediation.pack, event.remediation.pack_version);
    if (!event.before.empty()) Properties("before", event.before, event.urn);
    if (!event.after.empty()) Properties("after", event.after, event.urn);
    json_.EndObject();
  }

  void operator()(const PolicyAnalyzeSummaryEvent& event) { PolicySummary("policyAnalyzeSummaryEvent", event); }
  void operator()(const PolicyRemediateSummaryEvent& event) { PolicySummary("policyRemediateSummaryEvent", event); }

  void operator()(const PolicyAnalyzeStackSummaryEvent& event) {
    Begin("policyAnalyzeStackSummaryEvent");
    PackResults(event);
    json_.EndObject();
  }

  void operator()(const StartDebuggingEvent& event) {
    Begin("startDebuggingEvent");
    if (!event.config.empty()) {
      json_.Key("config");
      json_.BeginObject();
      for (const auto& [key, value] : event.config) {
        json_.Key(key);
        json_.Json(value);
      }
      json_.EndObject();
    }
    json_.EndObject();
  }

  void operator()(const ProgressEvent& event) {
    Begin("progressEvent");
    Text("type", event.type);
    Text("id", event.id);
    Text("message", event.message);
    json_.Key("received");
    json_.Int(event.received);
    json_.Key("total");
    json_.Int(event.total);
    json_.Key("done");
    json_.Bool(event.done);
    json_.EndObject();
  }

  void operator()(const ErrorEvent& event) {
    Begin("errorEvent");
    Text("error", masking_.Text(event.error));
    json_.EndObject();
  }

 private:
  void Begin(const char* kind) {
    json_.Key(kind);
    json_.BeginObject();
  }
  void Empty(const char* kind) {
    Begin(kind);
    json_.EndObject();
  }
  void Text(const char* key, std::string_view text) {
    json_.Key(key);
    json_.Text(text);
  }
  void Properties(const char* key, const PropertyMap& properties, const Urn& urn) {
    json_.Key(key);
    json_.Json(EncodeMaskedProperties(properties, urn, masking_));
  }

  void Pack(const std::string& policy, const std::string& pack, const std::string& version) {
    Text("policyName", policy);
    Text("policyPackName", pack);
    Text("policyPackVersion", version);
    Text("policyPackVersionTag", version);
  }

  template <class E>
  void PackResults(const E& event) {
    Text("policyPackName", event.pack);
    Text("policyPackVersion", event.version);
    Text("policyPackVersionTag", event.version);
    json_.TextsUnlessEmpty("passed", event.passed);
    json_.TextsUnlessEmpty("failed", event.failed);
  }

  template <class E>
  void PolicySummary(const char* kind, const E& event) {
    Begin(kind);
    Text("resourceUrn", event.urn.str());
    PackResults(event);
    json_.EndObject();
  }

  void Exceptions(const std::vector<AppliedException>& exceptions) {
    if (exceptions.empty()) return;
    json_.Key("exceptions");
    json_.BeginArray();
    for (const AppliedException& exception : exceptions) {
      json_.BeginObject();
      Text("id", exception.id);
      Text("reason", masking_.Text(exception.reason));
      json_.EndObject();
    }
    json_.EndArray();
  }

  void Step(const char* kind, const StepMetadata& metadata, bool planning) {
    Begin(kind);
    Metadata(metadata);
    json_.BoolIfTrue("planning", planning);
    json_.EndObject();
  }

  void Metadata(const StepMetadata& metadata) {
    json_.Key("metadata");
    json_.BeginObject();
    Text("op", StepOpName(metadata.op));
    Text("urn", metadata.urn.str());
    Text("type", metadata.type);
    StateOf("old", metadata.old_state);
    StateOf("new", metadata.new_state);
    json_.TextsUnlessEmpty("keys", metadata.keys);
    json_.TextsUnlessEmpty("diffs", metadata.diffs);
    Detailed(metadata.detailed);
    json_.BoolIfTrue("logical", metadata.logical);
    Text("provider", metadata.provider);
    if (metadata.because) {  // ours: readers of the reference's events pass over what they do not know
      json_.Key("because");
      WriteReason(*metadata.because, &json_);
    }
    json_.EndObject();
  }

  void Detailed(const std::optional<DetailedDiff>& detailed) {
    json_.Key("detailedDiff");
    if (!detailed) return json_.Null();
    json_.BeginObject();
    for (const auto& [path, diff] : *detailed) {
      json_.Key(path);
      json_.BeginObject();
      Text("diffKind", DiffKindName(diff.kind));
      json_.Key("inputDiff");
      json_.Bool(diff.input_diff);
      json_.EndObject();
    }
    json_.EndObject();
  }

  void StateOf(const char* key, const StatePtr& state) {
    json_.Key(key);
    if (!state) return json_.Null();
    json_.BeginObject();
    Text("type", state->type);
    Text("urn", state->urn.str());
    json_.BoolIfTrue("custom", state->custom);
    json_.BoolIfTrue("delete", state->pending_delete);
    Text("id", state->id);
    Text("parent", state->parent.str());
    ForEachRecorded(*state, [this](const auto& field, const auto& value) {
      if constexpr (std::is_same_v<decltype(value), const bool&>) {
        if (field.use.in_events) json_.BoolIfTrue(field.record, value);
      }
    });
    Properties("inputs", state->inputs, state->urn);
    Properties("outputs", state->outputs, state->urn);
    Text("provider", state->provider);
    json_.TextsUnlessEmpty("initErrors", masking_.Texts(state->init_errors));
    ForEachRecorded(*state, [this](const auto& field, const auto& value) {
      if constexpr (std::is_same_v<decltype(value), const std::vector<std::string>&>) {
        if (field.use.in_events) json_.TextsUnlessEmpty(field.program, value);
      }
    });
    json_.EndObject();
  }

  JsonWriter& json_;
  const Masking& masking_;
};

}  // namespace

std::string EncodeMaskedProperties(const PropertyMap& properties, const Urn& urn, const Masking& masking) {
  static BlindingManager* const blinding = new BlindingManager();
  EncodeOptions options;
  options.secrets = blinding;
  Result<std::string> json = EncodeProperties(masking.Properties(properties), urn, options);
  return json.ok() ? *json : "{}";
}

std::string EncodeEvent(const EngineEvent& event, int64_t sequence, int64_t timestamp, const Masking& masking) {
  JsonWriter json;
  json.BeginObject();
  json.Key("sequence");
  json.Int(sequence);
  json.Key("timestamp");
  json.Int(timestamp);
  std::visit(EventWriter(&json, masking), event);
  json.EndObject();
  return json.Take();
}

}  // namespace kingpost
