// SPDX-License-Identifier: Apache-2.0
// Entries as JSON. The fields and their order are those of the service's format, so that tools can read both.
#include "journal/entry.h"

#include <cmath>

#include "model/json_reader.h"
#include "model/json_writer.h"

namespace kingpost {
namespace {

constexpr EntryKind kKinds[] = {
    EntryKind::kBegin,          EntryKind::kSuccess,          EntryKind::kFailure,
    EntryKind::kRefreshSuccess, EntryKind::kOutputs,          EntryKind::kWrite,
    EntryKind::kSecretsManager, EntryKind::kRebuiltBaseState, EntryKind::kExtensionParameterize,
    EntryKind::kSnippets,       EntryKind::kCommit,           EntryKind::kFence,
    EntryKind::kStateMigration};

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

Status WriteRewritten(JsonWriter& json, const std::vector<StateMigrationEntry::Rewritten>& all,
                      const EncodeOptions& options) {
  json.Key("rewritten");
  json.BeginArray();
  for (const StateMigrationEntry::Rewritten& one : all) {
    const Result<std::string> text = EncodeState(*one.state, options);
    if (!text.ok()) return text.status();
    json.BeginObject();
    NumberIf(json, "old", one.old_index >= 0, one.old_index);
    NumberIf(json, "new", one.operation > 0, one.operation);
    JsonIf(json, "state", *text);
    json.EndObject();
  }
  json.EndArray();
  return Status::Ok();
}

Status WriteMigration(JsonWriter& json, const StateMigrationEntry& migration, const EncodeOptions& options) {
  json.Key("migration");
  json.BeginObject();
  json.Key("replaces");
  json.BeginArray();
  for (const int64_t index : migration.replaces) json.Int(index);
  json.EndArray();
  json.Key("result");
  json.BeginArray();
  for (const StatePtr& state : migration.result) {
    const Result<std::string> text = EncodeState(*state, options);
    if (!text.ok()) return text.status();
    json.Json(*text);
  }
  json.EndArray();
  json.Key("successors");
  json.BeginObject();
  for (const auto& [from, to] : migration.successors) {
    json.Key(from.str());
    json.Text(to.str());
  }
  json.EndObject();
  if (!migration.rewritten.empty()) KP_TRY(WriteRewritten(json, migration.rewritten, options));
  json.EndObject();
  return Status::Ok();
}

// Calls f with the text of each element.
template <class F>
Status EachElement(std::string_view array, const F& f) {
  if (array.empty()) return Status::Ok();
  JsonReader json(array);
  for (json.BeginArray(); json.NextElement();) {
    const std::string_view element = json.SkipRaw();
    if (json.ok()) KP_TRY(f(element));
  }
  json.Finish();
  return json.status();
}

Status ReadState(std::string_view text, const DecodeOptions& options, StatePtr* out) {
  Result<StatePtr> state = DecodeState(text, options);
  if (!state.ok()) return state.status();
  *out = *std::move(state);
  return Status::Ok();
}

Status ReadSuccessors(std::string_view text, std::map<Urn, Urn>* successors) {
  JsonReader json(text);
  std::string_view key;
  for (json.BeginObject(); json.NextKey(&key);) {
    const Urn predecessor{std::string(key)};
    successors->emplace(predecessor, Urn(std::string(json.ReadString())));
  }
  json.Finish();
  return json.status();
}

Result<std::shared_ptr<const StateMigrationEntry>> ReadMigration(std::string_view text, const DecodeOptions& options) {
  const Result<JsonFields> fields = JsonFields::Parse(text);
  if (!fields.ok()) return fields.status();
  auto migration = std::make_shared<StateMigrationEntry>();
  KP_TRY(EachElement(fields->Raw("replaces"), [&](std::string_view index) {
    JsonReader json(index);
    migration->replaces.push_back(std::llround(json.ReadNumber()));
    return json.status();
  }));
  KP_TRY(EachElement(fields->Raw("result"), [&](std::string_view state) {
    return ReadState(state, options, &migration->result.emplace_back());
  }));
  KP_TRY(EachElement(fields->Raw("rewritten"), [&](std::string_view one) {
    const Result<JsonFields> parts = JsonFields::Parse(one);
    if (!parts.ok()) return parts.status();
    StateMigrationEntry::Rewritten& rewritten = migration->rewritten.emplace_back();
    rewritten.old_index = parts->Integer("old", -1);
    rewritten.operation = parts->Integer("new", 0);
    return ReadState(parts->Raw("state"), options, &rewritten.state);
  }));
  KP_TRY(ReadSuccessors(fields->Raw("successors"), &migration->successors));
  return std::shared_ptr<const StateMigrationEntry>(std::move(migration));
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
    case EntryKind::kStateMigration:
      return "state-migration";
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
  if (entry.migration) KP_TRY(WriteMigration(json, *entry.migration, options));
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
  if (fields.Has("migration")) {
    auto migration = ReadMigration(fields.Raw("migration"), options);
    if (!migration.ok()) return migration.status();
    entry.migration = *std::move(migration);
  }
  if (Status status = DecodeStates(fields, options, with_operation, &entry); !status.ok()) return status;
  return entry;
}

}  // namespace kingpost
