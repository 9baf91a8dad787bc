// SPDX-License-Identifier: Apache-2.0
// Journals: what the journal asks of the file it writes, and of a store that keeps journals itself because it is not on
// a disk. Blocking; any thread, one call per stack at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct StackName;

// The little a journal asks of a file. The real ones are POSIX and batches in a bucket; tests put a faulty one in their
// place.
class JournalFile {
 public:
  virtual ~JournalFile() = default;
  virtual Status Write(uint64_t offset, std::string_view bytes) = 0;  // all of them, or an error
  virtual Status Sync() = 0;                                          // data and size are on the disk
  // The same for what is written by now, without waiting where a sync is a request to a service: several are under way
  // then, and `synced` comes from another thread. In the order of the calls, one at a time.
  virtual void SyncAsync(std::function<void(const Status&)> synced) { synced(Sync()); }
  // For how long more records are worth waiting for before a sync: the time that one takes counts.
  virtual std::chrono::microseconds group_commit_delay() { return {}; }
  virtual Status Reserve(uint64_t size) = 0;  // the file has space up to `size`, reading as zeros
  // Gives it the name it was made for. Until then it has another, so that a journal is never seen without its header.
  virtual Status Publish() { return Status::Ok(); }
  // kAborted if the name it was made under is now another file's, or nobody's. Any thread.
  virtual Status CheckInPlace() { return Status::Ok(); }
  // Its first bytes, also when its name is gone.
  virtual Result<std::string> ReadBack(uint64_t) { return Status(Code::kUnimplemented, "nothing was kept"); }
  // All that it held is in the checkpoint.
  virtual Status Remove() { return Status::Ok(); }
  // The store saves a checkpoint and ends the journal in one: no commit has to name the checkpoint before.
  virtual bool EndsWithSave() const { return false; }
};

// The journal that an interrupted operation left in such a store.
struct LeftoverJournal {
  std::string bytes;     // as a journal file has them; "" if nothing was recorded
  std::string location;  // for messages
  // The hashes of checkpoints whose save had begun: each of them contains all of the journal.
  std::vector<std::string> commits;
};

class SharedJournals {
 public:
  virtual ~SharedJournals() = default;

  // For the operation that holds the stack.
  virtual Result<std::unique_ptr<JournalFile>> Create(const StackName& stack) = 0;

  // Changes nothing and holds nothing: what an operation left that is gone for certain.
  virtual Result<std::optional<LeftoverJournal>> Peek(const StackName& stack) = 0;
  // By the holder, without a request: whether the one before may have left something to take.
  virtual bool MayHaveLeftover(const StackName&) { return true; }
  // By the holder of the stack: nobody can append to it any more when this returns.
  virtual Result<std::optional<LeftoverJournal>> Take(const StackName& stack) = 0;
  // By the holder: the checkpoint of that hash, about to be saved, has all of the journal in it.
  virtual Status NoteCommit(const StackName& stack, const std::string& checkpoint_hash) = 0;
  // By the holder: what was taken is not needed any more.
  virtual Status Discard(const StackName& stack) = 0;

  // ".../NAME.journal" on this machine: beside it lies what cannot be put into the store.
  virtual std::string LocalPath(const StackName& stack) const = 0;
};

}  // namespace kingpost
