// SPDX-License-Identifier: Apache-2.0
// A "journal" that is the checkpoint itself, saved anew with each sync, as the reference does: for stores in which
// nothing but its keys may be written. The cost of a sync is proportional to the size of the stack.
#pragma once

#include <memory>

#include "journal/journal_file.h"
#include "journal/seal.h"
#include "kingpost/state_store.h"

namespace kingpost {

struct CheckpointFileOptions {
  SealOptions seal;
  std::string base = {};         // the checkpoint that the operation began with, as it is stored; "" if there was none
  bool only_at_the_end = false;  // PULUMI_SKIP_CHECKPOINTS: nothing is saved before the operation is over
};

// The store and the lock outlive it.
std::unique_ptr<JournalFile> NewCheckpointFile(StateStore& store, const StackName& stack,
                                               const CheckpointFileOptions& options);

}  // namespace kingpost
