// SPDX-License-Identifier: Apache-2.0
// The possessions of a process while it holds a stack in a bucket: its lock, and the head, which it renews. A
// cancel or a takeover changes the head, so the next renewal is lost; the removal of the lock says the same.
//
// A thread of its own renews every quarter of the lease. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "remote/blob/blob_bucket.h"
#include "remote/blob/blob_transactions.h"
#include "store/run_head.h"

namespace kingpost {

// Where a stack keeps what holding it needs.
struct HoldKeys {
  std::string stack;  // for messages
  std::string head;   // a key
  std::string runs;   // below it each run has its folder
  std::string locks;  // below it each lock is UUID.json
  std::string LockKey(const std::string& id) const { return locks + id + ".json"; }
  std::string BatchKey(const std::string& run, uint64_t number) const;
  // For one of this stack's runs. Below a stack without a project may lie what a project of that name has.
  bool IsBatch(const std::string& key) const;
};

class BlobHold {
 public:
  // `fenced`: the bucket minds conditions.
  BlobHold(std::shared_ptr<BlobBucket> bucket, HoldKeys places, RunHead head, std::string tag, bool fenced);
  ~BlobHold();
  BlobHold(const BlobHold&) = delete;

  void StartRenewals();
  void set_liveness_lock(std::unique_ptr<LivenessLock> sign) { liveness_lock_ = std::move(sign); }

  const HoldKeys& places() const { return places_; }
  bool fenced() const { return fenced_; }
  std::string lock_key() const { return places_.LockKey(lock_id_); }
  RunHead head();

  // kAborted if another process has the stack or may have it by now.
  Status CheckHeld();
  // The same, having looked.
  Status Confirm();
  // Writes the head anew.
  Status Update(const std::function<void(RunHead*)>& change);
  void MarkLost(const std::string& why);  // another process has it

  // Saves a checkpoint in a transaction that `commit` makes of its changes and that of the head, whose tag it gives.
  // From now on the checkpoint of that hash is known to have all of the run, whether or not it comes to be.
  Status CommitWith(const std::string& checkpoint_hash,
                    const std::function<Result<std::string>(const BlobChange& head)>& commit);

  // Some records are in no checkpoint: the next command will recover them.
  void set_leftover(bool leftover);
  bool leftover();
  // After a write of the checkpoint that failed: if it may still be done, the stack is left to the next command.
  void NoteDoubt(const Status& failure);
  // The records of the former owner were asked for.
  void set_taken() { taken_ = true; }
  bool taken() const { return taken_; }
  // The checkpoint was saved under this hold: nobody else's save can come after that.
  void set_saved() { saved_ = true; }
  bool saved() const { return saved_; }
  // The stack is no more: its head goes as well, where a late request for that could not take another's.
  void set_removed(bool removed) { removed_ = removed; }

  // Gives the stack up: the lock goes and the head is free, or both stay as what is left. Once.
  Status Release();
  void Abandon();

 private:
  Status Renew();  // with the mutex
  Status PutHead(RunHead head);
  Status FreeHead();
  Status FreeInTransaction(BlobTransactions& database);
  Result<std::string> ReplaceOwnHead(const std::string& bytes);
  Status CheckLock();
  void RunRenewals();
  void StopRenewals();

  const std::shared_ptr<BlobBucket> bucket_;
  const HoldKeys places_;
  const bool fenced_;
  const std::string lock_id_;
  std::unique_ptr<LivenessLock> liveness_lock_;
  std::atomic<bool> taken_{false}, saved_{false}, removed_{false};

  std::mutex mutex_;
  RunHead head_;
  std::string tag_;
  Status lost_;
  bool leftover_ = false, released_ = false;
  double renewed_;  // when the last renewal that succeeded was sent, in seconds since boot

  std::mutex stop_mutex_;
  std::condition_variable stop_wake_;
  bool stopping_ = false;
  std::thread renewals_;
};

}  // namespace kingpost
