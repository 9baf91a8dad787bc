// SPDX-License-Identifier: Apache-2.0
// Taking the lock of a stack in a bucket. The head makes exactly one of several commands of Kingpost win. The lock, an
// object in the reference's form, keeps the reference out, whose own rule is to look, to write, and to look again.
//
//     look at head ─┬─ held ─▶ owner alive ─▶ LockedError
//                   │          owner gone  ─▶ head, if it is still that one ─┐
//                   └─ absent or free ─▶ head, if it is still so ────────────┴─▶ lock ─▶ look again
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kingpost/state_store.h"
#include "store/blob_hold.h"
#include "store/lock_record.h"

namespace kingpost {

struct TakenHold {
  std::shared_ptr<BlobHold> hold;
  std::vector<std::string> notices;
};
Result<TakenHold> TakeHold(std::shared_ptr<BlobBucket> bucket, const HoldKeys& places, bool fenced);

// Reads the present lock and head, without changing them.
struct HoldStatus {
  std::optional<RunHead> head;
  std::string head_tag;
  bool owner_gone = false;  // of the head: nobody works on the stack any more
  std::vector<LockRecord> locks;
  // Whether nobody is behind the lock. A lock that was taken after a head, and that the head does not name, belongs to
  // an owner who has lost it. Its lock may have come late, or may not have been removed.
  bool Gone(const LockRecord& lock) const;
};
Result<HoldStatus> ReadHoldStatus(BlobBucket& bucket, const HoldKeys& places, bool fenced);

// The locks of a stack, from any process.
Result<std::vector<LockRecord>> ReadLocks(BlobBucket& bucket, const HoldKeys& places);
std::string KeyOf(const LockRecord& lock, const HoldKeys& places);
bool IsLock(const LockRecord& lock, const std::string& id);
Status PutLock(BlobBucket& bucket, const HoldKeys& places, const std::string& id, const std::string& record);
// Notices about owners that are gone, whose stack the caller took over.
Status RemoveDeadLocks(BlobBucket& bucket, const HoldKeys& places, const std::vector<LockRecord>& dead,
                       std::vector<std::string>* notices);

// Whether the lock is one of the head's owner, or of one before it.
bool IsOfHead(const LockRecord& lock, const RunHead& head);

// Takes the stack from its owners; returns their number. What was recorded waits to be taken in.
Result<int> BreakHold(BlobBucket& bucket, const HoldKeys& places, bool fenced);

// The locks alone; how many there were.
Result<int> RemoveLocks(BlobBucket& bucket, const HoldKeys& places);

// Batches may not follow it.
inline constexpr char kSeal[] = "KPSEAL\n";
// How many batches of a run follow one another from the first, of those that are listed. What lies behind a gap was on
// its way together with the one that is missing, and acknowledged to nobody.
uint64_t ContiguousBatches(const HoldKeys& places, const std::string& run, const std::vector<BlobInfo>& listed);
// Ends the batches of a run behind those that are there; gives their number. Nobody appends when it returns.
Result<uint64_t> SealRun(BlobBucket& bucket, const HoldKeys& places, const std::string& run);

// The URL of an object, as messages show it.
std::string LocationOf(const BlobBucket& bucket, const std::string& key);

}  // namespace kingpost
