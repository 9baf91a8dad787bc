// SPDX-License-Identifier: Apache-2.0
// See finish.h.
#include "journal/finish.h"

#include <future>

#include "base/command_name.h"
#include "base/disk/durable_file.h"
#include "journal/recover.h"
#include "kingpost/journal_paths.h"
#include "kingpost/shared_journals.h"

namespace kingpost {
namespace {

Status AppendAndWait(Journal& journal, JournalEntry entry) {
  auto synced = std::make_shared<std::promise<Status>>();
  std::future<Status> status = synced->get_future();
  journal.Append(std::move(entry), [synced](Status status) { synced->set_value(std::move(status)); });
  return status.get();
}

Status NoteCommit(const Journal& journal, StateStore& store, const StackName& stack, const std::string& hash) {
  if (store.journals()) return store.journals()->NoteCommit(stack, hash);
  const auto path = store.JournalPath(stack);
  if (!path.ok() || path->empty()) return path.status();
  return WriteFileDurably(JournalPaths(*path).commit, CommitNote(journal.salt(), hash));
}

void ForgetCommit(StateStore& store, const StackName& stack) {
  const auto path = store.JournalPath(stack);
  if (path.ok() && !path->empty()) (void)RemoveFile(JournalPaths(*path).commit);
}

// The journal may still be in its place: then the next command takes it in, as after a crash. If another operation has
// taken it over already, all of it is kept aside. It is closed before that is asked: nothing is written after.
Status Lost(Journal& journal, const std::string& path, const Status& how) {
  (void)journal.Close();
  if (path.empty()) return how;
  if (journal.InPlace()) {
    return Status(how.code(), how.message() + "\nThe journal " + path +
                                  " holds the record of this operation; the next command on the stack recovers it");
  }
  const std::string kept = JournalPaths(path).NewKeptPath();
  const Status aside = journal.KeepAside(kept);
  if (!aside.ok()) {
    return Status(how.code(), how.message() + "\nThe rest of this operation's record could not be kept (" +
                                  aside.message() + "): compare the state with the resources that exist, with " +
                                  QuotedCommand("refresh"));
  }
  return Status(how.code(), how.message() + "\nThe record of this operation is kept in " + kept +
                                ". When no other operation is running, " + QuotedCommand("state recover " + kept) +
                                " adds the missing steps to the state");
}

}  // namespace

namespace {

// But for the manifest, which says when and by whom it was written.
bool SameStates(std::string_view a, std::string_view b) {
  constexpr std::string_view kManifest = "\"manifest\":{";
  const size_t in_a = a.find(kManifest), in_b = b.find(kManifest);
  if (in_a == a.npos || in_b == b.npos) return false;
  return a.substr(0, in_a) == b.substr(0, in_b) && a.substr(a.find('}', in_a)) == b.substr(b.find('}', in_b));
}

}  // namespace

Status SaveAndRemove(Journal& journal, StateStore& store, const StackName& stack, std::string_view document) {
  // A journal that failed is about to be replaced by the document. What it cannot say itself a note beside it says, for
  // those who find both.
  const bool ends_with_save = journal.ends_with_save();
  bool silent = journal.closed() || (store.journals() && !ends_with_save);  // a store's own note is one request, too
  if (!silent && !ends_with_save) {
    JournalEntry commit;
    commit.kind = EntryKind::kCommit;
    commit.checkpoint_hash = CheckpointHash(document);
    silent = !AppendAndWait(journal, std::move(commit)).ok();
  }
  // Without either the document is not saved: killed before the journal is gone, it would be one that the journal does
  // not know, and the stack would be stuck.
  Status status = journal.CheckOwned();
  if (status.ok() && silent) status = NoteCommit(journal, store, stack, CheckpointHash(document));
  if (status.ok()) status = store.Save(stack, document);
  if (!status.ok()) {
    (void)journal.Close();
    return status;
  }
  status = journal.Remove();
  if (silent && status.ok()) ForgetCommit(store, stack);
  return status;
}

FinishResult FinishOperation(StackLock& lock, Journal& journal, StateStore& store, const StackName& stack,
                             Snapshot snapshot, const FinishOptions& options) {
  FinishResult result;
  const auto path = store.JournalPath(stack);
  const std::string journal_path = store.journals() ? store.journals()->LocalPath(stack) : path.ok() ? *path : "";
  const Status integrity = SealSnapshot(options.seal, &snapshot);
  CheckpointDocument checkpoint;
  checkpoint.stack = store.QualifiedName(stack);
  checkpoint.has_latest = true;
  checkpoint.snapshot = std::move(snapshot);
  Result<std::string> bytes = EncodeCheckpoint(checkpoint, options.encode);
  if (!bytes.ok()) {
    result.status = bytes.status().Wrap("could not write the state; the journal is kept");
  } else {
    result.status = lock.WhileHeld([&] {
      Status ours = journal.CheckOwned();
      if (ours.code() == Code::kUnavailable) ours = journal.SendAgain();  // the store may be back
      if (!ours.ok() || integrity.ok() || options.accept_broken) {
        // Where each request counts, what changes nothing is not saved again.
        if (ours.ok() && store.journals() && SameStates(options.base, *bytes)) return journal.Remove();
        return ours.ok() ? SaveAndRemove(journal, store, stack, *bytes) : ours;
      }
      (void)journal.Close();
      return RefuseBrokenState(journal_path, *bytes, integrity);
    });
  }
  if (result.status.ok()) return result;
  const Status ours = lock.CheckHeld().ok() ? journal.CheckOwned() : lock.CheckHeld();
  if (!ours.ok()) {
    result.status = Lost(journal, journal_path, ours);
    return result;
  }
  lock.Abandon();
  if (bytes.ok() && (integrity.ok() || options.accept_broken)) result.unsaved = *std::move(bytes);
  return result;
}

}  // namespace kingpost
