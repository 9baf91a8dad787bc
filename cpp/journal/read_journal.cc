// SPDX-License-Identifier: Apache-2.0
// Reading a journal back: the records, then what they say.
#include <span>
#include <unordered_set>

#include "base/disk/durable_file.h"
#include "journal/journal.h"
#include "journal/json_fields.h"
#include "journal/record.h"

namespace kingpost {
namespace {

Result<JournalHeader> DecodeHeader(std::string_view json) {
  auto fields = JsonFields::Parse(json);
  if (!fields.ok()) return fields.status();
  if (fields->Integer("version", 0) != 1) {
    return Status(Code::kUnimplemented, "this version of kingpost cannot read it; use the version that wrote it");
  }
  JournalHeader header{fields->String("stack"), fields->String("base"), fields->String("operation")};
  if (!fields->Has("secretsProvider")) return header;
  auto provider = JsonFields::Parse(fields->Raw("secretsProvider"));
  if (!provider.ok()) return provider.status();
  header.secrets_type = provider->String("type");
  header.secrets_state_json = std::string(provider->Raw("state"));
  return header;
}

// From the last to the first, so that at a Begin it is known whether its operation ended. `first` is the number of the
// first of them.
Result<std::vector<JournalEntry>> DecodeEntries(std::span<const std::string_view> payloads, uint64_t first,
                                                const DecodeOptions& options, ReadScope scope) {
  std::vector<JournalEntry> entries(payloads.size());
  std::unordered_set<int64_t> ended;
  for (size_t i = payloads.size(); i-- > 0;) {
    const std::string name = "record " + std::to_string(first + i);
    auto fields = JsonFields::Parse(payloads[i]);
    if (!fields.ok()) return fields.status().Wrap(name);
    const bool closed = scope == ReadScope::kForReplay && ended.count(fields->Integer("operationID", 0)) > 0;
    auto entry = DecodeEntry(*fields, options, /*with_operation=*/!closed);
    if (!entry.ok()) return entry.status().Wrap(name);
    switch (entry->kind) {
      case EntryKind::kSuccess:
      case EntryKind::kFailure:
      case EntryKind::kRefreshSuccess:
        ended.insert(entry->operation_id);
        break;
      case EntryKind::kBegin:
        ended.erase(entry->operation_id);
        break;
      case EntryKind::kRebuiltBaseState:
        ended.clear();  // what was open at this moment went into the base
        break;
      default:
        break;
    }
    entries[i] = *std::move(entry);
  }
  return entries;
}

}  // namespace

Result<JournalContents> ReadJournal(const std::string& path, const DecodeOptions& options, ReadScope scope) {
  auto bytes = ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  auto contents = ParseJournal(*bytes, options, scope);
  if (!contents.ok()) return contents.status().Wrap("journal " + path);
  return contents;
}

Result<JournalContents> ParseJournal(std::string_view bytes, const DecodeOptions& options, ReadScope scope) {
  auto scan = ScanRecords(bytes);
  if (!scan.ok()) return scan.status();
  JournalContents contents;
  contents.salt = scan->salt;
  contents.records = scan->payloads.size();
  contents.valid_bytes = scan->valid_bytes;
  contents.torn_tail_bytes = scan->torn_tail_bytes;
  if (scan->payloads.empty()) return contents;

  auto header = DecodeHeader(scan->payloads[0]);
  if (!header.ok()) return header.status().Wrap("record 0");
  contents.header = *std::move(header);
  auto entries = DecodeEntries(std::span(scan->payloads).subspan(1), 1, options, scope);
  if (!entries.ok()) return entries.status();
  contents.entries = *std::move(entries);
  return contents;
}

Status ParseMore(std::string_view bytes, const DecodeOptions& options, JournalContents* contents) {
  const auto scan = ScanMoreRecords(contents->salt, contents->records, bytes);
  if (!scan.ok()) return scan.status();
  auto entries = DecodeEntries(scan->payloads, contents->records, options, ReadScope::kAll);
  if (!entries.ok()) return entries.status();
  contents->entries = *std::move(entries);
  contents->records += scan->payloads.size();
  contents->valid_bytes += scan->valid_bytes;
  contents->torn_tail_bytes = scan->torn_tail_bytes;
  return Status::Ok();
}

}  // namespace kingpost
