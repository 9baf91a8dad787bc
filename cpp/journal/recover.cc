// Saving and recovering, in an order that a crash at any point leaves one of two known checkpoints and the journal.
#include "journal/recover.h"

#include <algorithm>
#include <future>

#include "journal/replay.h"

namespace kingpost {
namespace {

Status AppendAndWait(Journal& journal, JournalEntry entry) {
  auto synced = std::make_shared<std::promise<Status>>();
  std::future<Status> status = synced->get_future();
  journal.Append(std::move(entry), [synced](Status status) { synced->set_value(std::move(status)); });
  return status.get();
}

bool Holds(const JournalContents& journal, const std::string& checkpoint_hash) {
  return std::any_of(journal.entries.begin(), journal.entries.end(), [&](const JournalEntry& entry) {
    return entry.kind == EntryKind::kCommit && entry.checkpoint_hash == checkpoint_hash;
  });
}

Status ForeignJournal(const std::string& path, const JournalContents& journal, const StackDocument& checkpoint) {
  return Status(Code::kFailedPrecondition,
                "the journal " + path + " of an interrupted " + journal.header.operation +
                    " does not continue the checkpoint " + checkpoint.location +
                    ": something else has changed the stack since. If the checkpoint is right, move the journal away; "
                    "resources it alone knows of must then be imported. Otherwise restore the checkpoint from its "
                    "backup and run the command again");
}

// The base and the entries on top of it.
Result<Snapshot> Replay(const JournalContents& journal, const StackDocument& checkpoint, CheckpointDocument* document) {
  if (checkpoint.exists) {
    auto decoded = DecodeCheckpoint(checkpoint.bytes, {});
    if (!decoded.ok()) return decoded.status().Wrap(checkpoint.location);
    *document = *std::move(decoded);
  } else {
    document->stack = journal.header.stack;
  }
  // A stack that was never saved has no secrets manager on record, but its first entries may have secrets.
  if (!journal.header.secrets_type.empty()) {
    document->snapshot.secrets_type = journal.header.secrets_type;
    document->snapshot.secrets_state_json = journal.header.secrets_state_json;
  }
  Replayer replayer(std::make_shared<const Snapshot>(document->snapshot));
  for (const JournalEntry& entry : journal.entries) {
    if (Status status = replayer.Apply(entry); !status.ok()) return status;
  }
  return replayer.Materialize();
}

// Each attempt notes its own hash, so that it does not matter after which of them the process died.
Status SaveRecovered(StateStore& store, const StackName& stack, const std::string& path, std::string_view document) {
  auto journal = Journal::Reopen(path, {});
  if (!journal.ok()) return journal.status();
  return SaveAndRemove(**journal, store, stack, document);
}

std::string Count(size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

Status SaveAndRemove(Journal& journal, StateStore& store, const StackName& stack, std::string_view document) {
  JournalEntry commit;
  commit.kind = EntryKind::kCommit;
  commit.checkpoint_hash = CheckpointHash(document);
  (void)AppendAndWait(journal, std::move(commit));  // a journal that failed is about to be replaced by the document
  if (Status status = store.Save(stack, document); !status.ok()) {
    (void)journal.Close();
    return status;
  }
  return journal.Remove();
}

Result<RecoveryReport> Recover(StateStore& store, const StackName& stack, const SealOptions& options) {
  RecoveryReport report;
  auto path = store.JournalPath(stack);
  if (!path.ok()) return path.status();
  if (path->empty()) return report;
  auto journal = ReadJournal(*path, {}, ReadScope::kForReplay);
  if (journal.status().code() == Code::kNotFound) return report;
  if (!journal.ok()) return journal.status();

  report.found = true;
  report.operation = journal->header.operation;
  report.torn_tail_bytes = journal->torn_tail_bytes;
  auto checkpoint = store.Load(stack);
  if (!checkpoint.ok()) return checkpoint.status();
  const std::string hash = CheckpointHash(checkpoint->exists ? checkpoint->bytes : "");
  report.already_saved = journal->entries.empty() || Holds(*journal, hash);
  if (!report.already_saved && hash != journal->header.base_hash) return ForeignJournal(*path, *journal, *checkpoint);
  if (report.already_saved) {
    if (Status status = RemoveJournalFile(*path); !status.ok()) return status;
    return report;
  }

  CheckpointDocument document;
  auto snapshot = Replay(*journal, *checkpoint, &document);
  if (!snapshot.ok()) return snapshot.status().Wrap("journal " + *path);
  document.snapshot = *std::move(snapshot);
  document.has_latest = true;
  report.integrity = SealSnapshot(options, &document.snapshot);
  report.interrupted = document.snapshot.pending_operations;
  report.resources = static_cast<int>(document.snapshot.resources.size());
  report.entries = static_cast<int>(std::count_if(journal->entries.begin(), journal->entries.end(),
                                                  [](const auto& e) { return e.kind != EntryKind::kCommit; }));

  auto bytes = EncodeCheckpoint(document, {});
  if (!bytes.ok()) return bytes.status().Wrap("journal " + *path);
  if (Status status = SaveRecovered(store, stack, *path, *bytes); !status.ok()) return status;
  return report;
}

std::vector<std::string> RecoveryReport::Lines() const {
  if (!found || already_saved) return {};
  std::vector<std::string> lines = {"recovered an interrupted " + operation + ": " + Count(entries, "journal record") +
                                    " replayed, the stack has " + Count(resources, "resource")};
  if (torn_tail_bytes > 0) {
    lines.push_back("the last record was cut off by the crash and dropped (" + Count(torn_tail_bytes, "byte") + ")");
  }
  for (const PendingOperation& pending : interrupted) {
    lines.push_back("nobody knows whether this took effect: " + std::string(OperationTypeName(pending.type)) + " " +
                    pending.resource->urn.str());
  }
  if (!integrity.ok()) lines.push_back(integrity.message());
  return lines;
}

}  // namespace kingpost
