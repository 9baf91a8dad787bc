// SPDX-License-Identifier: Apache-2.0
// Whole documents out: the deployment, the features it uses, and the envelope around it.
#include <set>

#include "model/deployment_features.h"
#include "model/json_state.h"
#include "model/json_text.h"

namespace kingpost {

namespace {

constexpr int kVersionPlain = 3;
constexpr int kVersionWithFeatures = 4;
constexpr std::string_view kNoTime = "0001-01-01T00:00:00Z";

// Writes one deployment and notes what its readers must know.
class DeploymentWriter {
 public:
  DeploymentWriter(const EncodeOptions& options, std::string* out)
      : options_(options), json_(out), states_(options, out) {}

  Status Append(const Snapshot& snapshot) {
    json_.BeginObject();
    AppendManifest(snapshot.manifest);
    AppendSecretsProvider(snapshot);
    AppendResources(snapshot.resources);
    AppendOperations(snapshot.pending_operations);
    json_.Key("metadata");
    json_.BeginObject();
    JsonUnlessEmpty("integrity_error", snapshot.integrity_error_json);
    json_.EndObject();
    JsonUnlessEmpty("snippets", snapshot.snippets_json);
    if (!snapshot.snippets_json.empty()) features_.insert(features::kSnippets);
    AppendExtensions(snapshot.extensions);
    json_.EndObject();
    if (states_.wrote_byte_string() || (snapshot.byte_strings && states_.wrote_sealed())) {
      features_.insert(features::kByteString);
    }
    return states_.status();
  }

  // {"version":3,  or  {"version":4,"features":["views"],
  std::string Header() const {
    if (features_.empty()) return "{\"version\":" + std::to_string(kVersionPlain) + ",";
    std::string header = "{\"version\":" + std::to_string(kVersionWithFeatures) + ",\"features\":[";
    for (std::string_view feature : features_) {
      if (header.back() != '[') header += ',';
      AppendJsonString(feature, &header);
    }
    return header + "],";
  }

 private:
  void JsonUnlessEmpty(std::string_view key, const std::string& json) {
    if (json.empty()) return;
    json_.Key(key);
    json_.Json(json);
  }

  void Text(std::string_view key, std::string_view text) {
    json_.Key(key);
    json_.Text(text);
  }

  void Append(const State& state) {
    json_.Value();
    states_.Append(state);
  }

  void AppendManifest(const Manifest& manifest) {
    json_.Key("manifest");
    json_.BeginObject();
    Text("time", manifest.time.empty() ? kNoTime : manifest.time);
    Text("magic", manifest.magic);
    Text("version", manifest.version);
    JsonUnlessEmpty("plugins", manifest.plugins_json);
    json_.EndObject();
  }

  // Whoever encrypts is named, so that the file can be read again.
  void AppendSecretsProvider(const Snapshot& snapshot) {
    const std::string type = options_.secrets ? options_.secrets->type() : snapshot.secrets_type;
    const std::string state = options_.secrets ? CompactJson(options_.secrets->state()) : snapshot.secrets_state_json;
    if (type.empty()) return;
    json_.Key("secrets_providers");
    json_.BeginObject();
    Text("type", type);
    JsonUnlessEmpty("state", state);
    json_.EndObject();
  }

  void AppendResources(const std::vector<StatePtr>& resources) {
    if (resources.empty()) return;
    json_.Key("resources");
    json_.BeginArray();
    for (const StatePtr& state : resources) {
      Append(*state);
      NoteFeatures(*state);
    }
    json_.EndArray();
  }

  void AppendOperations(const std::vector<PendingOperation>& operations) {
    if (operations.empty()) return;
    json_.Key("pending_operations");
    json_.BeginArray();
    for (const PendingOperation& operation : operations) {
      json_.BeginObject();
      json_.Key("resource");
      Append(*operation.resource);
      Text("type", OperationTypeName(operation.type));
      json_.EndObject();
    }
    json_.EndArray();
  }

  void AppendExtensions(const std::map<std::string, std::string>& extensions) {
    if (extensions.empty()) return;
    json_.Key("extensions");
    json_.BeginObject();
    for (const auto& [ref, json] : extensions) JsonUnlessEmpty(ref, json);
    json_.EndObject();
  }

  void NoteFeatures(const State& state) {
    if (state.refresh_before_update) features_.insert(features::kRefreshBeforeUpdate);
    if (state.is_view()) features_.insert(features::kViews);
    if (!state.hooks.empty()) features_.insert(features::kHooks);
    if (state.taint) features_.insert(features::kTaint);
    if (!state.replace_with.empty()) features_.insert(features::kReplaceWith);
    if (!state.extension_ref.empty()) features_.insert(features::kExtensions);
    if (!state.snippet_id.empty()) features_.insert(features::kSnippets);
  }

  const EncodeOptions& options_;
  JsonWriter json_;
  JsonStateWriter states_;
  std::set<std::string_view> features_;
};

}  // namespace

// The header depends on what the resources turn out to use, so it is put in front at last.
Result<std::string> EncodeCheckpoint(const CheckpointDocument& document, const EncodeOptions& options) {
  std::string out = "\"checkpoint\":{\"stack\":";
  AppendJsonString(document.stack, &out);
  DeploymentWriter writer(options, &out);
  if (document.has_latest) {
    out += ",\"latest\":";
    Status status = writer.Append(document.snapshot);
    if (!status.ok()) return status;
  }
  out += "}}";
  out.insert(0, writer.Header());
  return out;
}

Result<std::string> EncodeExport(const Snapshot& snapshot, const EncodeOptions& options) {
  std::string compact = "\"deployment\":";
  DeploymentWriter writer(options, &compact);
  Status status = writer.Append(snapshot);
  if (!status.ok()) return status;
  compact += '}';
  compact.insert(0, writer.Header());
  std::string out = IndentJson(compact);
  out += '\n';
  return out;
}

Result<std::string> EncodeDeployment(const Snapshot& snapshot, const EncodeOptions& options) {
  std::string compact;
  DeploymentWriter writer(options, &compact);
  if (Status status = writer.Append(snapshot); !status.ok()) return status;
  return IndentJson(compact) + "\n";
}

Result<std::string> EncodeState(const State& state, const EncodeOptions& options) {
  std::string out;
  JsonStateWriter writer(options, &out);
  writer.Append(state);
  if (!writer.status().ok()) return writer.status();
  return out;
}

Result<std::string> EncodeValue(const Value& value, const Urn& urn, const EncodeOptions& options) {
  std::string out;
  JsonValueWriter writer(options, &out);
  writer.set_urn(&urn);
  writer.Append(value);
  if (!writer.status().ok()) return writer.status();
  return out;
}

Result<std::string> EncodeProperties(const PropertyMap& map, const Urn& urn, const EncodeOptions& options) {
  std::string out;
  JsonValueWriter writer(options, &out);
  writer.set_urn(&urn);
  writer.Append(map);
  if (!writer.status().ok()) return writer.status();
  return out;
}

}  // namespace kingpost
