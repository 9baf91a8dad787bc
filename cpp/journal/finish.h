// SPDX-License-Identifier: Apache-2.0
// The end of an operation: its snapshot is saved as the checkpoint, and the journal goes away.
//
//     journal: header(base hash) entries... │ commit(new hash) │
//     checkpoint:                 base      │       base       │ save ─▶ new │ remove the journal
//     a crash leaves:        base, journal  │  base, journal   │ new, journal: nothing left to do but to remove it
//
// Two ends keep the checkpoint as it was: the stack is no longer ours, or its state is not in order.
// Blocking; any thread.
#pragma once

#include <string>

#include "journal/journal.h"
#include "journal/seal.h"
#include "kingpost/state_store.h"

namespace kingpost {

// Notes the hash of the new document in the journal, saves it, removes the journal. If the journal has failed the note
// lies beside it; without any note nothing is saved. If saving fails the journal stays, and the next command recovers
// it. kAborted, and nothing is saved, if the journal is not ours any more.
Status SaveAndRemove(Journal& journal, StateStore& store, const StackName& stack, std::string_view document);

struct FinishOptions {
  SealOptions seal;
  EncodeOptions encode;
  bool accept_broken = false;  // --disable-integrity-checking
  std::string_view base = {};  // the checkpoint before, as it is stored
};

struct FinishResult {
  Status status;
  // The document that belongs into the store, if writing it there is what failed.
  std::string unsaved;
};

// Unless all went well the lock is abandoned where it is still ours, so that other tools keep away from a checkpoint
// that lacks what the journal holds.
FinishResult FinishOperation(StackLock& lock, Journal& journal, StateStore& store, const StackName& stack,
                             Snapshot snapshot, const FinishOptions& options);

}  // namespace kingpost
