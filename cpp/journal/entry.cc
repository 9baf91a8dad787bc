// SPDX-License-Identifier: Apache-2.0
// Entries as JSON. The fields and their order are those of the service's format, so that tools can read both.
#include "journal/entry.h"

namespace kingpost {
namespace {

constexpr EntryKind kKinds[] = {
    EntryKind::kBegin,          EntryKind::kSuccess,          EntryKind::kFailure,
    EntryKind::kRefreshSuccess, EntryKind::kOutputs,          EntryKind::kWrite,
    EntryKind::kSecretsManager, EntryKind::kRebuiltBaseState, EntryKind::kExtensionParameterize,
    EntryKind::kSnippets,       EntryKind::kCommit,           EntryKind::kFence};

// Appends `"name":value` to an object being written.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string* out) : out_(out) { out_->push_back('{'); }

  void Raw(std::string_view name, std::string_view value) {
    if (!first_) out_->push_back(',');
    first_ = false;
    AppendJsonString(name, out_);
    out_->push_back(':');
    out_->append(value);
  }
  void Integer(std::string_view name, int64_t value) { Raw(name, std::to_string(value)); }
  void String(std::string_view name, std::string_view value) {
    std::string quoted;
    AppendJsonString(value, &quoted);
    Raw(name, quoted);
  }
  void RawIf(std::string_view name, const std::string& value) {
    if (!value.empty()) Raw(name, value);
  }
  void StringIf(std::string_view name, const std::string& value) {
    if (!value.empty()) String(name, value);
  }
  void IndexIf(std::string_view name, int64_t old_index) {
    if (old_index >= 0) Integer(name, old_index);
  }
  void OperationIf(std::string_view name, int64_t operation_id) {
    if (operation_id > 0) Integer(name, operation_id);
  }
  void End() { out_->push_back('}'); }

 private:
  std::string* const out_;
  bool first_ = true;
};

std::string OrNull(bool present, int64_t number) { return present ? std::to_string(number) : "null"; }

std::string EncodeSecretsProvider(const JournalEntry& entry) {
  std::string out;
  ObjectWriter object(&out);
  object.String("type", entry.secrets_type);
  object.RawIf("state", entry.secrets_state_json);
  object.End();
  return out;
}

std::string EncodeOperation(OperationType type, const std::string& resource) {
  std::string out;
  ObjectWriter object(&out);
  object.Raw("resource", resource);
  object.String("type", OperationTypeName(type));
  object.End();
  return out;
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
  ObjectWriter object(&out);
  object.Integer("version", 1);
  object.Integer("kind", static_cast<int>(entry.kind));
  object.Integer("sequenceID", entry.sequence);
  object.Integer("operationID", entry.operation_id);
  object.Raw("removeOld", OrNull(entry.remove_old >= 0, entry.remove_old));
  object.Raw("removeNew", OrNull(entry.remove_new > 0, entry.remove_new));
  object.IndexIf("pendingReplacementOld", entry.pending_replacement_old);
  object.OperationIf("pendingReplacementNew", entry.pending_replacement_new);
  object.IndexIf("deleteOld", entry.delete_old);
  object.OperationIf("deleteNew", entry.delete_new);
  if (entry.operation) {
    object.Raw("operation", EncodeOperation(*entry.operation, state_json));
  } else {
    object.RawIf("state", state_json);
  }
  if (entry.is_refresh) object.Raw("isRefresh", "true");
  if (entry.kind == EntryKind::kSecretsManager) object.Raw("secretsProvider", EncodeSecretsProvider(entry));
  object.RawIf("snippets", entry.snippets_json);
  if (entry.new_base) {
    auto document = EncodeCheckpoint({.stack = "", .has_latest = true, .snapshot = *entry.new_base}, options);
    if (!document.ok()) return document.status();
    object.Raw("newSnapshot", *document);
  }
  object.StringIf("extensionRef", entry.extension_ref);
  object.RawIf("extension", entry.extension_json);
  object.StringIf("checkpointHash", entry.checkpoint_hash);
  if (entry.kind == EntryKind::kFence) object.Integer("proven", entry.proven);
  object.End();
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
