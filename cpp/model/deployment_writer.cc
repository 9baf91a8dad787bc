// SPDX-License-Identifier: Apache-2.0
// Whole documents out: the deployment, the features it uses, and the envelope around it.
#include <set>

#include "base/large_text.h"
#include "model/deployment_export.h"
#include "model/deployment_features.h"
#include "model/json_state.h"
#include "model/json_text.h"

namespace kingpost {

namespace {

constexpr int kVersionPlain = 3;
constexpr int kVersionWithFeatures = 4;
constexpr std::string_view kNoTime = "0001-01-01T00:00:00Z";

}  // namespace

// Writes one deployment, of which the resources may come before the rest is known, and notes what its readers must
// know.
class DeploymentWriter {
 public:
  explicit DeploymentWriter(const EncodeOptions& options) : options_(options), json_(&body_), states_(options, &body_) {
    json_.BeginObject();
  }

  void Reserve(size_t bytes) { ReserveText(bytes, &body_); }

  void Add(const State& state) {
    if (!in_resources_) {
      in_resources_ = true;
      json_.Key("resources");
      json_.BeginArray();
    }
    Append(state);
    NoteFeatures(state);
  }

  // All of the resources. Their size is guessed by the first ones, because growing copies all that is there.
  void Add(const std::vector<StatePtr>& resources) {
    constexpr size_t kFirst = 256;
    for (size_t i = 0; i < resources.size(); ++i) {
      if (i == kFirst) Reserve(body_.size() / kFirst * resources.size() / 8 * 9);
      Add(*resources[i]);
    }
  }

  // The rest, of which snapshot.resources is no part.
  Status Finish(const Snapshot& snapshot) {
    if (in_resources_) json_.EndArray();
    AppendOperations(snapshot.pending_operations);
    json_.Key("metadata");
    json_.BeginObject();
    JsonUnlessEmpty("integrity_error", snapshot.integrity_error_json, &json_);
    json_.EndObject();
    JsonUnlessEmpty("snippets", snapshot.snippets_json, &json_);
    if (!snapshot.snippets_json.empty()) features_.insert(features::kSnippets);
    AppendExtensions(snapshot.extensions);
    json_.EndObject();
    if (states_.wrote_byte_string() || (snapshot.byte_strings && states_.wrote_sealed())) {
      features_.insert(features::kByteString);
    }
    JsonWriter head(&head_);
    head.BeginObject();
    AppendManifest(snapshot.manifest, &head);
    AppendSecretsProvider(snapshot, &head);
    head_ += ',';
    return states_.status();
  }

  // Once it is finished, a deployment is its head, and its body without the bracket before it.
  const std::string& head() const { return head_; }
  std::string_view body() const { return std::string_view(body_).substr(1); }
  // The same in one text, with something around it.
  std::string Take(std::string before, std::string_view behind) {
    body_.replace(0, 1, before.append(head_));
    body_ += behind;
    return std::move(body_);
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
  static void JsonUnlessEmpty(std::string_view key, const std::string& json, JsonWriter* out) {
    if (json.empty()) return;
    out->Key(key);
    out->Json(json);
  }

  static void Text(std::string_view key, std::string_view text, JsonWriter* out) {
    out->Key(key);
    out->Text(text);
  }

  void Append(const State& state) {
    json_.Value();
    states_.Append(state);
  }

  static void AppendManifest(const Manifest& manifest, JsonWriter* out) {
    out->Key("manifest");
    out->BeginObject();
    Text("time", manifest.time.empty() ? kNoTime : manifest.time, out);
    Text("magic", manifest.magic, out);
    Text("version", manifest.version, out);
    JsonUnlessEmpty("plugins", manifest.plugins_json, out);
    out->EndObject();
  }

  // The file names the encrypter, so that it can be read again.
  void AppendSecretsProvider(const Snapshot& snapshot, JsonWriter* out) const {
    const std::string type = options_.secrets ? options_.secrets->type() : snapshot.secrets_type;
    const std::string state = options_.secrets ? CompactJson(options_.secrets->state()) : snapshot.secrets_state_json;
    if (type.empty()) return;
    out->Key("secrets_providers");
    out->BeginObject();
    Text("type", type, out);
    JsonUnlessEmpty("state", state, out);
    out->EndObject();
  }

  void AppendOperations(const std::vector<PendingOperation>& operations) {
    if (operations.empty()) return;
    json_.Key("pending_operations");
    json_.BeginArray();
    for (const PendingOperation& operation : operations) {
      json_.BeginObject();
      json_.Key("resource");
      Append(*operation.resource);
      Text("type", OperationTypeName(operation.type), &json_);
      json_.EndObject();
    }
    json_.EndArray();
  }

  void AppendExtensions(const std::map<std::string, std::string>& extensions) {
    if (extensions.empty()) return;
    json_.Key("extensions");
    json_.BeginObject();
    for (const auto& [ref, json] : extensions) JsonUnlessEmpty(ref, json, &json_);
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

  const EncodeOptions options_;
  std::string head_;
  std::string body_;
  JsonWriter json_;
  JsonStateWriter states_;
  bool in_resources_ = false;
  std::set<std::string_view> features_;
};

// The header depends on what the resources turn out to use, so it is put in front at last.
Result<std::string> EncodeCheckpoint(const CheckpointDocument& document, const EncodeOptions& options) {
  std::string stack = "\"checkpoint\":{\"stack\":";
  AppendJsonString(document.stack, &stack);
  DeploymentWriter writer(options);
  if (!document.has_latest) return writer.Header() + stack + "}}";
  writer.Add(document.snapshot.resources);
  Status status = writer.Finish(document.snapshot);
  if (!status.ok()) return status;
  return writer.Take(writer.Header() + stack + ",\"latest\":", "}}");
}

ExportWriter::ExportWriter(const EncodeOptions& options, size_t bytes)
    : writer_(std::make_unique<DeploymentWriter>(options)) {
  writer_->Reserve(bytes);
}

ExportWriter::~ExportWriter() = default;

void ExportWriter::Add(const State& state) { writer_->Add(state); }

Status ExportWriter::Finish(const Snapshot& snapshot) { return writer_->Finish(snapshot); }

void ExportWriter::Write(const JsonIndenter::Write& write) const {
  JsonIndenter out(write);
  out.Append(writer_->Header() + "\"deployment\":" + writer_->head());
  out.Append(writer_->body());
  out.Append("}");
  out.Flush();
  write("\n");
}

Result<std::string> EncodeExport(const Snapshot& snapshot, const EncodeOptions& options) {
  ExportWriter writer(options);
  for (const StatePtr& state : snapshot.resources) writer.Add(*state);
  if (Status status = writer.Finish(snapshot); !status.ok()) return status;
  std::string out;
  writer.Write([&out](std::string_view part) { out += part; });
  return out;
}

Result<std::string> EncodeDeployment(const Snapshot& snapshot, const EncodeOptions& options) {
  DeploymentWriter writer(options);
  writer.Add(snapshot.resources);
  if (Status status = writer.Finish(snapshot); !status.ok()) return status;
  return IndentJson(writer.Take("", "")) + "\n";
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
