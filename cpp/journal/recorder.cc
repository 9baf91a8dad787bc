// SPDX-License-Identifier: Apache-2.0
// From callbacks on the writer thread to coroutines on the engine thread.
#include "journal/recorder.h"

namespace kingpost {
namespace {

Task<Status> Wait(Completion<Status> synced) { co_return co_await synced; }

}  // namespace

Task<Status> JournalRecorder::Append(JournalEntry entry) {
  Completion<Status> synced(loop_);
  journal_.Append(std::move(entry), [synced](Status status) { synced.Set(std::move(status)); });
  return Wait(std::move(synced));
}

}  // namespace kingpost
