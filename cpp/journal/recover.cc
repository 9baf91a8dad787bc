// SPDX-License-Identifier: Apache-2.0
// Recovering, in an order that a crash at any point leaves one of two known checkpoints and the journal.
#include "journal/recover.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/command_name.h"
#include "base/disk/durable_file.h"
#include "journal/journal_file.h"
#include "journal/record.h"
#include "journal/replay.h"
#include "kingpost/journal_paths.h"
#include "kingpost/shared_journals.h"

namespace kingpost {
namespace {

constexpr size_t kNotedHash = 9;  // where it begins in a note: behind the salt

// A journal as it was left, in a file or in a store that keeps journals itself.
struct FoundJournal {
  std::string bytes;
  std::string name;                  // where the user knows it
  std::vector<std::string> commits;  // which checkpoints it was about to go into, as noted beside it
};

bool Holds(const JournalContents& journal, const FoundJournal& found, const std::string& checkpoint_hash) {
  const bool noted = std::find(found.commits.begin(), found.commits.end(), checkpoint_hash) != found.commits.end();
  if (!checkpoint_hash.empty() && noted) return true;
  return std::any_of(journal.entries.begin(), journal.entries.end(), [&](const JournalEntry& entry) {
    return entry.kind == EntryKind::kCommit && entry.checkpoint_hash == checkpoint_hash;
  });
}

Status ForeignJournal(const std::string& path, const JournalContents& journal, const StackDocument& checkpoint) {
  return Status(Code::kFailedPrecondition,
                "the journal " + path + " of an interrupted " + journal.header.operation +
                    " does not continue the checkpoint " + checkpoint.location +
                    ": another process has changed the stack since. If the checkpoint is right, move the journal away "
                    "and add its records to the state with " +
                    QuotedCommand("state recover FILE") +
                    ". Otherwise "
                    "restore the checkpoint from its backup and run the command again");
}

// The base and the entries on top of it.
Result<Snapshot> Replay(const JournalContents& journal, const StackDocument& checkpoint, CheckpointDocument* document) {
  if (const Status read = ReadBase(journal.header, checkpoint, document); !read.ok()) return read;
  Replayer replayer(std::make_shared<const Snapshot>(document->snapshot));
  for (const JournalEntry& entry : journal.entries) {
    if (Status status = replayer.Apply(entry); !status.ok()) return status;
  }
  return replayer.Materialize();
}

std::string Count(size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

// Where the journal is: half-way through a recovery, or as the operation left it; "" if there is none.
std::string FindJournal(const JournalPaths& places) {
  if (FileExists(places.taken)) return places.taken;
  return FileExists(places.journal) ? places.journal : "";
}

struct ReplayedJournal {
  RecoveryReport report;
  JournalContents journal;
  StackDocument checkpoint;
  CheckpointDocument document;  // what it comes to, unless already saved
};

// Changes nothing.
Result<ReplayedJournal> ReplayFound(StateStore& store, const StackName& stack, const FoundJournal& found,
                                    const RecoverOptions& options) {
  const std::string name = "journal " + found.name;
  ReplayedJournal replayed;
  auto journal = ParseJournal(found.bytes, {}, ReadScope::kForReplay);
  if (!journal.ok()) return journal.status().Wrap(name);
  RecoveryReport& report = replayed.report;
  report.found = true;
  report.operation = journal->header.operation;
  report.torn_tail_bytes = journal->torn_tail_bytes;
  report.empty = journal->entries.empty();
  auto checkpoint = store.Load(stack);
  if (!checkpoint.ok()) return checkpoint.status();
  const std::string hash = CheckpointHash(checkpoint->exists ? checkpoint->bytes : "");
  report.already_saved = report.empty || Holds(*journal, found, hash);
  if (!report.already_saved && hash != journal->header.base_hash) {
    return ForeignJournal(found.name, *journal, *checkpoint);
  }
  if (!report.already_saved) {
    auto snapshot = Replay(*journal, *checkpoint, &replayed.document);
    if (!snapshot.ok()) return snapshot.status().Wrap(name);
    if (options.repair && !VerifyIntegrity(*snapshot).ok()) {
      if (Status repaired = options.repair(&*snapshot); !repaired.ok()) return repaired.Wrap(name);
      report.repaired = true;
    }
    replayed.document.snapshot = *std::move(snapshot);
    replayed.document.has_latest = true;
    report.integrity = SealSnapshot(options.seal, &replayed.document.snapshot);
    report.interrupted = replayed.document.snapshot.pending_operations;
    report.resources = static_cast<int>(replayed.document.snapshot.resources.size());
    report.entries = static_cast<int>(std::count_if(journal->entries.begin(), journal->entries.end(),
                                                    [](const auto& e) { return e.kind != EntryKind::kCommit; }));
  }
  replayed.journal = *std::move(journal);
  replayed.checkpoint = *std::move(checkpoint);
  return replayed;
}

// The note tells of the journal with its salt; an earlier recovery may have left another one.
Result<FoundJournal> ReadFound(const JournalPaths& places, const std::string& file) {
  auto bytes = ReadWholeFile(file);
  if (!bytes.ok()) return bytes.status();
  FoundJournal found{*std::move(bytes), places.journal, {}};
  const Result<std::string> note = ReadWholeFile(places.commit);
  const auto scan = ScanRecords(found.bytes);
  if (!note.ok() || !scan.ok()) return found;
  const std::string hash = note->size() > kNotedHash ? note->substr(kNotedHash, note->find('\n') - kNotedHash) : "";
  if (*note == CommitNote(scan->salt, hash)) found.commits = {hash};
  return found;
}

// How a recovered checkpoint is noted and saved, and the journal goes; what does not go well leaves it where it is.
struct Saving {
  std::function<Status(const ReplayedJournal& replayed, const std::string& hash)> note;
  std::function<Status()> discard;
  std::string kept;  // where what is refused is kept: a path beside which files may lie
};

Result<RecoveryReport> RecoverFound(StateStore& store, const StackName& stack, const FoundJournal& found,
                                    const Saving& saving, const RecoverOptions& options) {
  auto replayed = ReplayFound(store, stack, found, options);
  if (!replayed.ok()) return replayed.status();
  if (!replayed->report.already_saved) {
    auto bytes = EncodeCheckpoint(replayed->document, {});
    if (!bytes.ok()) return bytes.status().Wrap("journal " + found.name);
    if (!replayed->report.integrity.ok() && !options.accept_broken) {
      return RefuseBrokenState(saving.kept, *bytes, replayed->report.integrity);
    }
    if (Status noted = saving.note(*replayed, CheckpointHash(*bytes)); !noted.ok()) return noted;
    if (Status saved = store.Save(stack, *bytes); !saved.ok()) return saved;
    (void)RemoveFile(JournalPaths(saving.kept).rejected);
  }
  // Its writer may have died before its name was on the disk, and only the journal has it then.
  if (replayed->report.already_saved && !replayed->report.empty) {
    if (Status settled = store.Settle(stack); !settled.ok()) return settled;
  }
  if (Status discarded = saving.discard(); !discarded.ok()) return discarded;
  return std::move(replayed->report);
}

Result<RecoveryReport> RecoverTaken(StateStore& store, const StackName& stack, const JournalPaths& places,
                                    const RecoverOptions& options) {
  const auto found = ReadFound(places, places.taken);
  if (!found.ok()) return found.status();
  Saving saving;
  saving.note = [&](const ReplayedJournal& replayed, const std::string& hash) {
    return WriteFileDurably(places.commit, CommitNote(replayed.journal.salt, hash));
  };
  saving.discard = [&] {
    const Status removed = RemoveJournalFile(places.taken);
    return removed.ok() ? RemoveFile(places.commit) : removed;
  };
  saving.kept = places.journal;
  return RecoverFound(store, stack, *found, saving, options);
}

// The same where the store keeps journals itself.
Result<RecoveryReport> TryRecoverShared(StateStore& store, const StackName& stack, const RecoverOptions& options) {
  SharedJournals& journals = *store.journals();
  auto left = journals.Take(stack);
  if (!left.ok()) return left.status();
  if (!*left) return RecoveryReport();
  Saving saving;
  saving.note = [&](const ReplayedJournal&, const std::string& hash) { return journals.NoteCommit(stack, hash); };
  saving.discard = [&] { return journals.Discard(stack); };
  saving.kept = journals.LocalPath(stack);
  return RecoverFound(store, stack, {(*left)->bytes, (*left)->location, (*left)->commits}, saving, options);
}

// The save of one who is gone may have been done just before ours, which then was not: all is in that one's.
Result<RecoveryReport> RecoverShared(StateStore& store, const StackName& stack, const RecoverOptions& options) {
  Result<RecoveryReport> report = TryRecoverShared(store, stack, options);
  return report.status().code() == Code::kFailedPrecondition ? TryRecoverShared(store, stack, options) : report;
}

Result<std::string> SetSharedAside(SharedJournals& journals, const StackName& stack) {
  auto left = journals.Take(stack);
  if (!left.ok()) return left.status();
  const std::string kept = JournalPaths(journals.LocalPath(stack)).NewKeptPath();
  if (Status written = WriteFileDurably(kept, *left ? (*left)->bytes : ""); !written.ok()) return written;
  if (Status discarded = journals.Discard(stack); !discarded.ok()) return discarded;
  return kept;
}

// Reads the rest of a journal without taking it; nullopt if there is none.
Result<std::optional<FoundJournal>> PeekFound(StateStore& store, const StackName& stack) {
  if (SharedJournals* journals = store.journals()) {
    auto left = journals->Peek(stack);
    if (!left.ok() || !*left) return left.ok() ? Result<std::optional<FoundJournal>>(std::nullopt) : left.status();
    return std::optional<FoundJournal>({(*left)->bytes, (*left)->location, (*left)->commits});
  }
  const auto path = store.JournalPath(stack);
  if (!path.ok()) return path.status();
  const std::string file = path->empty() ? "" : FindJournal(JournalPaths(*path));
  if (file.empty()) return std::optional<FoundJournal>();
  auto found = ReadFound(JournalPaths(*path), file);
  return found.ok() ? Result<std::optional<FoundJournal>>(*std::move(found)) : found.status();
}

}  // namespace

Status ReadBase(const JournalHeader& header, const StackDocument& checkpoint, CheckpointDocument* document) {
  if (checkpoint.exists) {
    auto decoded = DecodeCheckpoint(checkpoint.bytes, {});
    if (!decoded.ok()) return decoded.status().Wrap(checkpoint.location);
    *document = *std::move(decoded);
  } else {
    document->stack = header.stack;
  }
  // A stack that was never saved has no secrets manager on record, but its first entries may have secrets.
  if (!header.secrets_type.empty()) {
    document->snapshot.secrets_type = header.secrets_type;
    document->snapshot.secrets_state_json = header.secrets_state_json;
  }
  return Status::Ok();
}

Result<RecoveryReport> Recover(StateStore& store, const StackName& stack, const RecoverOptions& options) {
  if (store.journals()) return RecoverShared(store, stack, options);
  const auto path = store.JournalPath(stack);
  if (!path.ok()) return path.status();
  if (path->empty()) return RecoveryReport();
  const JournalPaths places(*path);
  const std::string found = FindJournal(places);
  if (found.empty()) return RecoveryReport();
  // Out of the reach of its writer, which then knows that it has lost it and keeps what it still writes elsewhere.
  if (found != places.taken && ::rename(found.c_str(), places.taken.c_str()) != 0) {
    return FileError(found, "take over", errno);
  }
  auto report = RecoverTaken(store, stack, places, options);
  // A journal that cannot be recovered goes back to the place that the user knows.
  if (!report.ok() && !FileExists(places.journal)) (void)!::rename(places.taken.c_str(), places.journal.c_str());
  return report;
}

Result<Leftover> PeekLeftover(StateStore& store, const StackName& stack, const SealOptions& seal) {
  Leftover leftover;
  auto found = PeekFound(store, stack);
  if (!found.ok()) return found.status();
  if (!*found) {
    auto document = store.Load(stack);
    if (!document.ok()) return document.status();
    leftover.document = *std::move(document);
    return leftover;
  }
  auto replayed = ReplayFound(store, stack, **found, RecoverOptions{seal, false, nullptr});
  if (!replayed.ok()) return replayed.status();
  leftover.report = std::move(replayed->report);
  leftover.document = std::move(replayed->checkpoint);
  if (leftover.report.already_saved) return leftover;
  auto bytes = EncodeCheckpoint(replayed->document, {});
  if (!bytes.ok()) return bytes.status();
  leftover.document.bytes = *std::move(bytes);
  leftover.document.exists = true;
  return leftover;
}

Result<bool> HasLeftover(StateStore& store, const StackName& stack) {
  if (store.journals()) {
    const auto left = store.journals()->Peek(stack);
    if (!left.ok()) return left.status();
    return left->has_value();
  }
  const auto path = store.JournalPath(stack);
  if (!path.ok()) return path.status();
  return !path->empty() && !FindJournal(JournalPaths(*path)).empty();
}

Result<std::string> SetJournalAside(StateStore& store, const StackName& stack) {
  if (SharedJournals* journals = store.journals()) return SetSharedAside(*journals, stack);
  const auto path = store.JournalPath(stack);
  if (!path.ok()) return path.status();
  const JournalPaths places(*path);
  const std::string found = FindJournal(places), kept = places.NewKeptPath();
  if (::rename(found.c_str(), kept.c_str()) != 0) return FileError(found, "put aside", errno);
  if (Status synced = SyncFolder(kept.substr(0, kept.rfind('/'))); !synced.ok()) return synced;
  return kept;
}

Status RefuseBrokenState(const std::string& journal_path, std::string_view document, const Status& integrity) {
  std::string message = "the state is not in order, so it was not saved over the one before: " + integrity.message();
  if (!journal_path.empty()) {
    const JournalPaths places(journal_path);
    message += "\nThe record of the operation is kept in " + places.journal;
    const Status kept = WriteFileDurably(places.rejected, document);
    message += kept.ok() ? ", and the resulting state in " + places.rejected : " (" + kept.message() + ")";
    message += ". " + QuotedCommand("state repair") +
               " puts the state in order and saves it. If it cannot, please report the fault with "
               "these files (secrets in them are encrypted); " +
               QuotedCommand("stack import --force") + " with a corrected " + QuotedCommand("stack export") +
               " goes on without them";
  }
  return Status(Code::kFailedPrecondition, message);
}

std::string CommitNote(uint32_t salt, const std::string& checkpoint_hash) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", salt);
  return std::string(text) + " " + checkpoint_hash + "\n";
}

std::vector<std::string> RecoveryReport::Lines() const {
  if (!found) return {};
  const std::string torn = "(" + Count(torn_tail_bytes, "byte") + " that had not been synced)";
  if (empty && operation.empty()) {
    return {"found an empty journal " + torn + ": the disk has lost the records of an interrupted operation; " +
            QuotedCommand("refresh") + " compares the state with the real resources"};
  }
  if (empty) return {"found the journal of an interrupted " + operation + " that had done nothing yet " + torn};
  if (already_saved) return {};
  std::vector<std::string> lines = {"recovered an interrupted " + operation + ": " + Count(entries, "journal record") +
                                    " replayed, the stack has " + Count(resources, "resource")};
  if (torn_tail_bytes > 0) {
    lines.push_back("the last record was cut off by the crash and dropped (" + Count(torn_tail_bytes, "byte") + ")");
  }
  for (const PendingOperation& pending : interrupted) {
    lines.push_back("the engine cannot tell whether this took effect: " + std::string(OperationTypeName(pending.type)) +
                    " " + pending.resource->urn.str());
  }
  if (!integrity.ok()) lines.push_back(integrity.message());
  return lines;
}

}  // namespace kingpost
