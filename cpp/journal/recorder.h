// SPDX-License-Identifier: Apache-2.0
// The journal as the engine sees it: an entry is appended, and the coroutine goes on once it is on the disk.
#pragma once

#include "base/loop.h"
#include "journal/journal.h"
#include "kingpost/engine.h"

namespace kingpost {

// Engine thread. The journal must outlive the recorder and all tasks it gave out, and the loop must outlive the
// journal, whose writer thread posts to it.
class JournalRecorder : public Recorder {
 public:
  JournalRecorder(Loop& loop, Journal& journal) : loop_(loop), journal_(journal) {}

  // The entry takes its place in the journal when this is called, not when the task is awaited.
  Task<Status> Append(JournalEntry entry) override;

 private:
  Loop& loop_;
  Journal& journal_;
};

}  // namespace kingpost
