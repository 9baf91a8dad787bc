// SPDX-License-Identifier: Apache-2.0
// Whole documents: envelopes, versions and what a deployment holds beside its resources.
#include <algorithm>

#include "model/deployment_features.h"
#include "model/json_state.h"
#include "model/json_text.h"
#include "model/lenient_reader.h"

namespace kingpost {

namespace {

constexpr int kVersionMax = 4;

Status Unsupported(std::string message, UnsupportedDeployment detail) {
  Status status(Code::kFailedPrecondition, std::move(message));
  status.With(std::move(detail));
  return status;
}

Status CheckFeatures(const std::vector<std::string>& names) {
  UnsupportedDeployment detail{UnsupportedDeployment::Reason::kFeatures, {}};
  std::string list;
  for (const std::string& name : names) {
    if (std::find(features::kAll.begin(), features::kAll.end(), name) != features::kAll.end()) continue;
    list += (list.empty() ? "" : ", ") + name;
    detail.features.push_back(name);
  }
  if (list.empty()) return Status::Ok();
  return Unsupported("this stack's deployment needs support for the following features: " + list, std::move(detail));
}

// Reads one document. `Envelope` is what differs between a checkpoint file and an export file.
class DocumentReader {
 public:
  enum class Envelope { kCheckpoint, kExport };

  DocumentReader(Envelope envelope, std::string_view json, const DecodeOptions& options, bool lenient = false)
      : lenient_(lenient), envelope_(envelope), body_(envelope), json_(json), options_(options) {}

  Result<CheckpointDocument> Read() {
    JsonReader reader(json_);
    ReadEnvelope(reader);
    reader.Finish();
    if (!reader.ok()) return reader.status();
    Status status = CheckVersion();
    if (!status.ok()) return status;
    // An empty deployment would be a stack without resources. That is said with `"deployment": {}`, not by leaving it
    // out.
    if (envelope_ == Envelope::kExport && !has_body_) {
      return Status(Code::kInvalidArgument, "there is neither a \"deployment\" nor a \"checkpoint\" in it");
    }
    if (!deferred_.empty()) {
      // The version stood behind the body, or there is none.
      JsonReader body(deferred_, deferred_.data() - json_.data());
      ReadBody(body);
      if (!body.ok()) return body.status();
    }
    return std::move(document_);
  }

 private:
  void ReadEnvelope(JsonReader& reader) {
    std::string_view key;
    for (reader.BeginObject(); reader.NextKey(&key);) {
      if (key == "version") {
        double version = 0;
        reader.ReadNumber(&version);
        version_ = static_cast<int>(std::clamp(version, -1.0, 1e9));
      } else if (key == "features") {
        ReadTexts(reader, &features_);
      } else if (key == "checkpoint" || (key == "deployment" && envelope_ == Envelope::kExport)) {
        // Where an export is expected, a checkpoint will do: it is what backups are.
        body_ = key == "checkpoint" ? Envelope::kCheckpoint : Envelope::kExport;
        has_body_ = true;
        ReadOrDefer(reader);
      } else {
        reader.Skip();
      }
    }
    // Before there were versions, the checkpoint was the whole file.
    if (version_ == 0 && envelope_ == Envelope::kCheckpoint) {
      version_ = 1;
      deferred_ = json_;
    }
  }

  // The version may stand behind the body.
  void ReadOrDefer(JsonReader& reader) {
    if (version_ == 0) {
      deferred_ = reader.SkipRaw();
    } else if (Status status = CheckVersion(); !status.ok()) {
      reader.Fail(std::move(status));
    } else {
      ReadBody(reader);
    }
  }

  Status CheckVersion() const {
    using Reason = UnsupportedDeployment::Reason;
    if (version_ >= 1 && version_ <= kVersionMax) {
      return version_ == kVersionMax ? CheckFeatures(features_) : Status::Ok();
    }
    const Reason reason = version_ < 1 ? Reason::kTooOld : Reason::kTooNew;
    std::string message =
        reason == Reason::kTooOld ? "this stack's deployment is too old" : "this stack's deployment version is too new";
    if (envelope_ == Envelope::kCheckpoint) message = "unsupported checkpoint version " + std::to_string(version_);
    return Unsupported(std::move(message), {reason, {}});
  }

  static void ReadTexts(JsonReader& reader, std::vector<std::string>* out) {
    for (reader.BeginArray(); reader.NextElement();) reader.ReadString(&out->emplace_back());
  }

  void ReadBody(JsonReader& reader) {
    if (body_ == Envelope::kExport) return ReadDeployment(reader);
    std::string_view key;
    for (reader.BeginObject(); reader.NextKey(&key);) {
      if (key == "stack") {
        reader.ReadString(&document_.stack);
      } else if (key == "latest") {
        ReadDeployment(reader);
      } else {
        reader.Skip();
      }
    }
  }

  void ReadDeployment(JsonReader& reader) {
    document_.has_latest = reader.Peek() != JsonReader::Kind::kNull;
    Snapshot& snapshot = document_.snapshot;
    JsonValueReader values(&reader, options_);
    std::string_view key;
    for (reader.BeginObject(); reader.NextKey(&key);) {
      if (key == "manifest") {
        ReadManifest(reader, &snapshot.manifest);
      } else if (key == "resources") {
        ReadResources(reader, &values, &snapshot.resources);
      } else if (key == "pending_operations" && version_ > 1) {
        ReadOperations(reader, &values, &snapshot.pending_operations);
      } else if (version_ < 3) {
        reader.Skip();
      } else {
        ReadExtra(reader, std::string(key), &snapshot);
      }
    }
    const auto& names = features_;
    snapshot.byte_strings = std::find(names.begin(), names.end(), features::kByteString) != names.end();
  }

  // Fields of version 3.
  static void ReadExtra(JsonReader& reader, const std::string& key, Snapshot* snapshot) {
    std::string_view inner;
    if (key == "secrets_providers") {
      for (reader.BeginObject(); reader.NextKey(&inner);) {
        if (inner == "type") {
          reader.ReadString(&snapshot->secrets_type);
        } else if (inner == "state") {
          snapshot->secrets_state_json = CompactJson(reader.SkipRaw());
        } else {
          reader.Skip();
        }
      }
    } else if (key == "metadata") {
      for (reader.BeginObject(); reader.NextKey(&inner);) {
        const bool error = inner == "integrity_error";
        const std::string_view raw = reader.SkipRaw();
        if (error && raw != "null") snapshot->integrity_error_json = CompactJson(raw);
      }
    } else if (key == "snippets") {
      snapshot->snippets_json = ReadList(reader);
    } else if (key == "extensions") {
      for (reader.BeginObject(); reader.NextKey(&inner);) {
        std::string& extension = snapshot->extensions[std::string(inner)];
        extension = CompactJson(reader.SkipRaw());
      }
    } else {
      reader.Skip();
    }
  }

  // The text of an array; "" if it is empty.
  static std::string ReadList(JsonReader& reader) {
    std::string list = CompactJson(reader.SkipRaw());
    return list == "null" || list == "[]" ? "" : list;
  }

  static void ReadManifest(JsonReader& reader, Manifest* manifest) {
    std::string_view key;
    for (reader.BeginObject(); reader.NextKey(&key);) {
      if (key == "time") {
        reader.ReadString(&manifest->time);
      } else if (key == "magic") {
        reader.ReadString(&manifest->magic);
      } else if (key == "version") {
        reader.ReadString(&manifest->version);
      } else if (key == "plugins") {
        manifest->plugins_json = ReadList(reader);
      } else {
        reader.Skip();
      }
    }
  }

  void ReadResources(JsonReader& reader, JsonValueReader* values, std::vector<StatePtr>* out) {
    for (reader.BeginArray(); reader.NextElement();) {
      StatePtr state = ReadState(&reader, values, version_, lenient_);
      if (!options_.each) {
        out->push_back(std::move(state));
      } else if (state) {
        options_.each(*state);
      }
    }
  }

  void ReadOperations(JsonReader& reader, JsonValueReader* values, std::vector<PendingOperation>* out) {
    std::string_view key;
    for (reader.BeginArray(); reader.NextElement();) {
      PendingOperation operation;
      std::string type;
      for (reader.BeginObject(); reader.NextKey(&key);) {
        if (key == "resource") {
          operation.resource = ReadState(&reader, values, version_, lenient_);
        } else if (key == "type") {
          reader.ReadString(&type);
        } else {
          reader.Skip();
        }
      }
      const std::optional<OperationType> parsed = ParseOperationType(type);
      if (!operation.resource) reader.Fail("pending operation without a resource");
      if (!parsed) reader.Fail("unknown type '" + type + "' of a pending operation");
      if (!reader.ok()) return;
      operation.type = *parsed;
      out->push_back(std::move(operation));
    }
  }

  const bool lenient_;
  const Envelope envelope_;
  Envelope body_;  // what has been found
  bool has_body_ = false;
  const std::string_view json_;
  const DecodeOptions& options_;
  int version_ = 0;
  std::vector<std::string> features_;
  std::string_view deferred_;  // the body, if it must wait for the version
  CheckpointDocument document_;
};

}  // namespace

Result<CheckpointDocument> DecodeCheckpoint(std::string_view json, const DecodeOptions& options) {
  return DocumentReader(DocumentReader::Envelope::kCheckpoint, json, options).Read();
}

Result<CheckpointDocument> DecodeCheckpointLeniently(std::string_view json) {
  const DecodeOptions options;
  return DocumentReader(DocumentReader::Envelope::kCheckpoint, json, options, true).Read();
}

Result<Snapshot> DecodeExport(std::string_view json, const DecodeOptions& options) {
  Result<CheckpointDocument> document = DocumentReader(DocumentReader::Envelope::kExport, json, options).Read();
  if (!document.ok()) return document.status();
  return std::move(document->snapshot);
}

Result<Snapshot> DecodeDeployment(std::string_view json, const DecodeOptions& options) {
  // Which features it uses is not said here, and none of those known needs to be announced.
  const std::string document =
      "{\"version\":" + std::to_string(kVersionMax) + ",\"deployment\":" + std::string(json) + "}";
  return DecodeExport(document, options);
}

Result<StatePtr> DecodeState(std::string_view json, const DecodeOptions& options) {
  JsonReader reader(json);
  JsonValueReader values(&reader, options);
  StatePtr state = ReadState(&reader, &values, kVersionMax);
  reader.Finish();
  if (!reader.ok()) return reader.status();
  return state;
}

Result<Value> DecodeValue(std::string_view json, const Urn& urn, const DecodeOptions& options) {
  JsonReader reader(json);
  JsonValueReader values(&reader, options);
  values.set_urn(urn);
  Value value = values.ReadValue();
  reader.Finish();
  if (!reader.ok()) return reader.status();
  return value;
}

}  // namespace kingpost
