// SPDX-License-Identifier: Apache-2.0
// Entries as JSON. The fields and their order are those of the service's format, so that tools can read both.
#include "journal/entry.h"

#include "model/json_writer.h"

namespace kingpost {
namespace {

constexpr EntryKind kKinds[] = {
    EntryKind::kBegin,          EntryKind::kSuccess,          EntryKind::kFailure,
    EntryKind::kRefreshSuccess, EntryKind::kOutputs,          EntryKind::kWrite,
    EntryKind::kSecretsManager, EntryKind::kRebuiltBaseState, EntryKind::kExtensionParameterize,
    EntryKind::kSnippets,       EntryKind::kCommit,           EntryKind::kFence};

void JsonIf(JsonWriter& json, std::string_view key, const std::string& value) {
  if (value.empty()) return;
  json.Key(key);
  json.Json(value);
}

void Number(JsonWriter& json, std::string_view key, int64_t number) {
  json.Key(key);
  json.Int(number);
}

void NumberIf(JsonWriter& json, std::string_view key, bool present, int64_t number) {
  if (present) Number(json, key, number);
}

void NumberOrNull(JsonWriter& json, std::string_view key, bool present, int64_t number) {
  json.Key(key);
  present ? json.Int(number) : json.Null();
}

void WriteSecretsProvider(JsonWriter& json, const JournalEntry& entry) {
  json.Key("secretsProvider");
  json.BeginObject();
  json.Key("type");
  json.Text(entry.secrets_type);
  JsonIf(json, "state", entry.secrets_state_json);
  json.EndObject();
}

void WriteOperation(JsonWriter& json, OperationType type, const std::string& resource) {
  json.Key("operation");
  json.BeginObject();
  JsonIf(json, "resource", resource);
  json.Key("type");
  json.Text(OperationTypeName(type));
  json.EndObject();
}

Status DecodeStates(const JsonFields& fields, const DecodeOptions& options, bool with_operation, JournalEntry* entry) {
  std::string_view state_json = fields.Raw("state");
  if (with_operation && fields.Has("operation")) {
    auto operation = JsonFields::Parse(fields.Raw("operation"));
    if (!operation.ok()) return operation.status();
    entry->operation = ParseOperationType(operation->String("type"));
    if (!entry->operation) return Status(Code::kDataLoss, "the type of the operation is unknown");
    state_json = operation->Raw("resource");
    if (state_json.empty()) return Status(Code::kDataLoss, "the operation has no resource");
  }
  if (!state_json.empty()) {
    auto state = DecodeState(state_json, options);
    if (!state.ok()) return state.status();
    entry->state = *std::move(state);
  }
  if (fields.Has("newSnapshot")) {
    auto document = DecodeCheckpoint(fields.Raw("newSnapshot"), options);
    if (!document.ok()) return document.status();
    entry->new_base = std::make_shared<const Snapshot>(std::move(document->snapshot));
  }
  return Status::Ok();
}

}  // namespace

const char* EntryKindName(EntryKind kind) {
  switch (kind) {
    case EntryKind::kBegin:
      return "begin";
    case EntryKind::kSuccess:
      return "success";
    case EntryKind::kFailure:
      return "failure";
    case EntryKind::kRefreshSuccess:
      return "refresh-success";
    case EntryKind::kOutputs:
      return "outputs";
    case EntryKind::kWrite:
      return "write";
    case EntryKind::kSecretsManager:
      return "secrets-manager";
    case EntryKind::kRebuiltBaseState:
      return "rebuilt-base-state";
    case EntryKind::kExtensionParameterize:
      return "extension-parameterize";
    case EntryKind::kSnippets:
      return "snippets";
    case EntryKind::kCommit:
      return "commit";
    case EntryKind::kFence:
      return "fence";
  }
  return "";
}

Result<std::string> EncodeEntry(const JournalEntry& entry, const EncodeOptions& options) {
  std::string out, state_json;
  if (entry.state) {
    auto state = EncodeState(*entry.state, options);
    if (!state.ok()) return state.status();
    state_json = *std::move(state);
  }
  JsonWriter json(&out);
  json.BeginObject();
  Number(json, "version", 1);
  Number(json, "kind", static_cast<int>(entry.kind));
  Number(json, "sequenceID", entry.sequence);
  Number(json, "operationID", entry.operation_id);
  NumberOrNull(json, "removeOld", entry.remove_old >= 0, entry.remove_old);
  NumberOrNull(json, "removeNew", entry.remove_new > 0, entry.remove_new);
  NumberIf(json, "pendingReplacementOld", entry.pending_replacement_old >= 0, entry.pending_replacement_old);
  NumberIf(json, "pendingReplacementNew", entry.pending_replacement_new > 0, entry.pending_replacement_new);
  NumberIf(json, "deleteOld", entry.delete_old >= 0, entry.delete_old);
  NumberIf(json, "deleteNew", entry.delete_new > 0, entry.delete_new);
  if (entry.operation) {
    WriteOperation(json, *entry.operation, state_json);
  } else {
    JsonIf(json, "state", state_json);
  }
  json.BoolIfTrue("isRefresh", entry.is_refresh);
  if (entry.kind == EntryKind::kSecretsManager) WriteSecretsProvider(json, entry);
  JsonIf(json, "snippets", entry.snippets_json);
  if (entry.new_base) {
    auto document = EncodeCheckpoint({.stack = "", .has_latest = true, .snapshot = *entry.new_base}, options);
    if (!document.ok()) return document.status();
    JsonIf(json, "newSnapshot", *document);
  }
  json.TextUnlessEmpty("extensionRef", entry.extension_ref);
  JsonIf(json, "extension", entry.extension_json);
  json.TextUnlessEmpty("checkpointHash", entry.checkpoint_hash);
  if (entry.kind == EntryKind::kFence) Number(json, "proven", entry.proven);
  json.EndObject();
  return out;
}

Result<JournalEntry> DecodeEntry(std::string_view json, const DecodeOptions& options) {
  auto fields = JsonFields::Parse(json);
  if (!fields.ok()) return fields.status();
  return DecodeEntry(*fields, options, /*with_operation=*/true);
}

Result<JournalEntry> DecodeEntry(const JsonFields& fields, const DecodeOptions& options, bool with_operation) {
  if (fields.Integer("version", 0) != 1) {
    return Status(Code::kUnimplemented, "this version of kingpost cannot read it; use the version that wrote it");
  }
  JournalEntry entry;
  const int64_t kind = fields.Integer("kind", -1);
  bool known = false;
  for (EntryKind candidate : kKinds) known = known || static_cast<int64_t>(candidate) == kind;
  if (!known) return Status(Code::kDataLoss, "entries of kind " + std::to_string(kind) + " are unknown");
  entry.kind = static_cast<EntryKind>(kind);

  entry.sequence = fields.Integer("sequenceID", 0);
  entry.operation_id = fields.Integer("operationID", 0);
  entry.remove_old = fields.Integer("removeOld", -1);
  entry.remove_new = fields.Integer("removeNew", 0);
  entry.pending_replacement_old = fields.Integer("pendingReplacementOld", -1);
  entry.pending_replacement_new = fields.Integer("pendingReplacementNew", 0);
  entry.delete_old = fields.Integer("deleteOld", -1);
  entry.delete_new = fields.Integer("deleteNew", 0);
  entry.is_refresh = fields.True("isRefresh");
  entry.snippets_json = std::string(fields.Raw("snippets"));
  entry.extension_ref = fields.String("extensionRef");
  entry.extension_json = std::string(fields.Raw("extension"));
  entry.checkpoint_hash = fields.String("checkpointHash");
  entry.proven = fields.Integer("proven", 0);
  if (fields.Has("secretsProvider")) {
    auto provider = JsonFields::Parse(fields.Raw("secretsProvider"));
    if (!provider.ok()) return provider.status();
    entry.secrets_type = provider->String("type");
    entry.secrets_state_json = std::string(provider->Raw("state"));
  }
  if (Status status = DecodeStates(fields, options, with_operation, &entry); !status.ok()) return status;
  return entry;
}

}  // namespace kingpost
