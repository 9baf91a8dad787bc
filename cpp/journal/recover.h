// SPDX-License-Identifier: Apache-2.0
// Recovers the journal that an interrupted operation left behind (docs/journal.md).
//
//     NAME.journal ─▶ NAME.journal.taken ─▶ replayed ─▶ NAME.journal.commit names the new checkpoint ─▶ saved ─▶
//     removed
//
// Recovery may die after any of these steps; the next one goes on from there. The journal is only read: its writer may
// live on without knowing that it has lost the stack, and keeps a copy of what it writes from then on
// (journal/finish.h).
//
// The caller holds the stack's lock, but for PeekLeftover. Blocking; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "journal/seal.h"
#include "kingpost/state_store.h"

namespace kingpost {

struct RecoverOptions {
  SealOptions seal;
  bool accept_broken = false;  // save it even if its integrity check fails: --disable-integrity-checking
  // Tried on a state that is not in order, which is refused otherwise. May be null.
  std::function<Status(Snapshot*)> repair;
};

struct RecoveryReport {
  bool found = false;                         // there was a journal; all else is empty if not
  bool already_saved = false;                 // the checkpoint was complete, only the journal had not been removed
  bool empty = false;                         // no operation is in the journal
  bool repaired = false;                      // by RecoverOptions::repair
  std::string operation;                      // of the header; "" if not even that was written
  int entries = 0;                            // replayed
  int resources = 0;                          // in the recovered snapshot
  std::vector<PendingOperation> interrupted;  // begun and not ended: they may have taken effect
  uint64_t torn_tail_bytes = 0;
  Status integrity;  // of the recovered snapshot

  std::vector<std::string> Lines() const;  // for the user; none if nothing was found
};

// Replays what an interrupted operation left behind. Fails, and changes nothing, if the journal is damaged, counts from
// another checkpoint than the one that is there, or makes a state that is not in order. Secrets stay sealed: no
// passphrase is needed.
Result<RecoveryReport> Recover(StateStore& store, const StackName& stack, const RecoverOptions& options);
inline Result<RecoveryReport> Recover(StateStore& store, const StackName& stack, const SealOptions& seal) {
  return Recover(store, stack, RecoverOptions{seal, false, nullptr});
}

// The checkpoint that the entries of a journal count from, sealed as it is stored.
Status ReadBase(const JournalHeader& header, const StackDocument& checkpoint, CheckpointDocument* document);

// Answers what Recover would save, for readers: nothing on the disk changes. Also what is not in order.
struct Leftover {
  RecoveryReport report;
  StackDocument document;  // the checkpoint itself if there is no journal
};
Result<Leftover> PeekLeftover(StateStore& store, const StackName& stack, const SealOptions& seal);

// The content of JournalPaths::commit: the journal with this salt is about to go into that checkpoint.
std::string CommitNote(uint32_t salt, const std::string& checkpoint_hash);

// Whether there is a journal to recover.
Result<bool> HasLeftover(StateStore& store, const StackName& stack);

// Puts a journal that cannot be recovered out of the way, for `state recover`. The name it has then.
Result<std::string> SetJournalAside(StateStore& store, const StackName& stack);

// A state that failed its integrity check is kept beside the journal and never saved. The status says what is wrong,
// where everything is, and what to do.
Status RefuseBrokenState(const std::string& journal_path, std::string_view document, const Status& integrity);

}  // namespace kingpost
