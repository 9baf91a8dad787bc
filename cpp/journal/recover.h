// What becomes of a journal: its snapshot is saved as the checkpoint and the file goes away, at the end of an operation
// or, if that end never came, at the beginning of the next command (docs/journal.md).
//
//     journal: header(base hash) entries... │ commit(new hash) │
//     checkpoint:                 base      │       base       │ save ─▶ new │ remove the journal
//     a crash leaves:        base, journal  │  base, journal   │ new, journal: nothing left to do but to remove it
//
// The caller holds the stack's lock. Blocking; any thread.
#pragma once

#include <string>
#include <vector>

#include "journal/journal.h"
#include "journal/seal.h"
#include "kingpost/state_store.h"

namespace kingpost {

// Ends an operation: notes the hash of the new document in the journal, saves it, removes the journal. If the journal
// has failed the document is saved all the same. If saving fails the journal stays, and the next command recovers it.
Status SaveAndRemove(Journal& journal, StateStore& store, const StackName& stack, std::string_view document);

struct RecoveryReport {
  bool found = false;                         // there was a journal; all else is empty if not
  bool already_saved = false;                 // the checkpoint was complete, only the journal had not been removed
  std::string operation;                      // of the header
  int entries = 0;                            // replayed
  int resources = 0;                          // in the recovered snapshot
  std::vector<PendingOperation> interrupted;  // begun and not ended: nobody knows whether they took effect
  uint64_t torn_tail_bytes = 0;
  Status integrity;  // of the recovered snapshot, which was saved in any case

  std::vector<std::string> Lines() const;  // for the user; none if nothing was found
};

// Replays what an interrupted operation left behind. Fails, and changes nothing, if the journal is damaged or counts
// from another checkpoint than the one that is there. Secrets stay sealed: no passphrase is needed.
Result<RecoveryReport> Recover(StateStore& store, const StackName& stack, const SealOptions& options);

}  // namespace kingpost
