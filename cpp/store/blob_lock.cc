// SPDX-License-Identifier: Apache-2.0
#include "store/blob_lock.h"

#include <algorithm>

#include "remote/blob/run_parallel.h"

namespace kingpost {

namespace {

constexpr char kRecord[] = "text/plain; charset=utf-8";
// An owner that writes on takes a few places from under who seals its run. Where so many in a row are taken, it is the
// service that errs.
constexpr int kSealTriesMax = 1000;
// The retries of a cancel that finds another head than it has looked at. Heads are written seconds apart.
constexpr int kBreakTriesMax = 10;

Result<bool> OwnerGone(BlobBucket& bucket, const HoldKeys& places, const RunHead& head, const Blob& blob, bool fenced) {
  if (head.given_up()) return true;
  if (LivenessOf(IdentityIn(head.owner_json)) == Liveness::kGone) return true;
  if (BlobTransactions* database = bucket.transactions(); database && head.has_liveness_lock) {
    const Result<bool> lives = database->IsLive(places.LockKey(head.lock));
    if (!lives.ok() || !*lives) return lives.ok() ? Result<bool>(true) : lives.status();
  }
  // Nobody is stopped by a lease where conditions are not minded.
  return fenced && blob.server_ms > 0 && blob.server_ms - blob.modified_ms > int64_t{head.lease_seconds} * 1000;
}

// One try to take a stack.
class Taking {
 public:
  Taking(std::shared_ptr<BlobBucket> bucket, const HoldKeys& places, bool fenced)
      : bucket_(std::move(bucket)), places_(places), fenced_(fenced) {
    head_.lock = NewLockId();
    head_.stack = places.stack;
    head_.owner_json = NewLockRecord(/*headed=*/fenced);
    head_.lease_seconds = LeaseSeconds();
  }

  Result<TakenHold> Run() {
    if (Status alive = ShowLife(); !alive.ok()) return alive;
    head_.run = NewLockId();
    Status taken = fenced_ ? TakeVacant() : Status(Code::kFailedPrecondition, "");
    if (taken.code() == Code::kFailedPrecondition) taken = TakeOver();
    if (!taken.ok()) {
      GiveUp();
      return taken;
    }
    taken_.hold->set_liveness_lock(std::move(liveness_lock_));
    if (Status alone = LookAgain(); !alone.ok()) return alone;
    taken_.hold->StartRenewals();
    return std::move(taken_);
  }

 private:
  std::string own_lock() const { return places_.LockKey(head_.lock); }

  // Before anybody can ask for it.
  Status ShowLife() {
    BlobTransactions* database = bucket_->transactions();
    if (!database) return Status::Ok();
    Result<std::unique_ptr<LivenessLock>> sign = database->HoldLiveness(own_lock());
    if (!sign.ok()) return sign.status();
    liveness_lock_ = *std::move(sign);
    head_.has_liveness_lock = liveness_lock_->certain();
    return Status::Ok();
  }

  // As it nearly always is: nobody there.
  Status TakeVacant() {
    const Result<std::optional<Blob>> there = bucket_->Get(places_.head);
    if (!there.ok()) return there.status();
    if (*there) {
      const Result<RunHead> head = ParseRunHead(LocationOf(*bucket_, places_.head), (*there)->bytes);
      if (!head.ok()) return head.status();
      if (head->state != RunHead::State::kFree) return {Code::kFailedPrecondition, "there is somebody"};
      head_.moved_to = head->moved_to;
    }
    const PutCondition condition = *there ? PutCondition::IfTag((*there)->tag) : PutCondition::IfAbsent();
    if (bucket_->transactions()) return TakeInOne(condition, {BlobChange::RequireEmpty(places_.locks)});
    // The look that follows sees locks of others; a command that works already never looks again.
    const Status won = PutHead(condition);
    return won.ok() ? PutLock(*bucket_, places_, head_.lock, head_.owner_json) : won;
  }

  Status PutHead(const PutCondition& condition) {
    const Result<std::string> put =
        bucket_->Put(places_.head, EncodeRunHead(head_), fenced_ ? condition : PutCondition::Always(), kRecord);
    if (put.ok()) Won(*put);
    return put.status();
  }

  // Head and lock together, with whatever else belongs to it.
  Status TakeInOne(const PutCondition& condition, const std::vector<BlobChange>& more) {
    std::vector<BlobChange> changes = {BlobChange::Put(places_.head, EncodeRunHead(head_), condition)};
    changes.insert(changes.end(), more.begin(), more.end());
    changes.push_back(BlobChange::Put(own_lock(), head_.owner_json));
    const Result<std::vector<std::string>> tags = bucket_->transactions()->Commit(changes);
    if (tags.ok()) Won((*tags)[0]);
    return tags.status();
  }

  void Won(const std::string& tag) { taken_.hold = std::make_shared<BlobHold>(bucket_, places_, head_, tag, fenced_); }

  // Another command was there. If all of them are gone, what they left is ours to take in.
  Status TakeOver() {
    const Result<HoldStatus> there = ReadHoldStatus(*bucket_, places_, fenced_);
    if (!there.ok()) return there.status();
    std::vector<LockRecord> living, dead;
    for (const LockRecord& lock : there->locks) (there->Gone(lock) ? dead : living).push_back(lock);
    if (!living.empty()) return LockedError(Holders(living));
    if (there->head && !there->owner_gone) return LockedByHead(*there->head);
    if (there->head) head_.moved_to = there->head->moved_to;
    if (there->head && there->head->state != RunHead::State::kFree) Inherit(*there->head);
    const PutCondition condition = there->head ? PutCondition::IfTag(there->head_tag) : PutCondition::IfAbsent();
    const bool in_one = bucket_->transactions() != nullptr;
    const Status put = in_one ? TakeInOne(condition, RemovalOf(dead)) : PutHead(condition);
    if (put.code() == Code::kFailedPrecondition) return LockedByHead(there->head ? *there->head : head_);
    if (!put.ok()) return put;
    if (in_one) {
      Tell(dead);
      return put;
    }
    // Ours is written before the dead ones go: the reference never sees the stack unlocked in between.
    const Status locked = PutLock(*bucket_, places_, head_.lock, head_.owner_json);
    return locked.ok() ? RemoveDead(dead) : locked;
  }

  std::vector<BlobChange> RemovalOf(const std::vector<LockRecord>& dead) const {
    std::vector<BlobChange> changes;
    for (const LockRecord& lock : dead) changes.push_back(BlobChange::Delete(KeyOf(lock, places_)));
    return changes;
  }

  Status RemoveDead(const std::vector<LockRecord>& dead) {
    return RemoveDeadLocks(*bucket_, places_, dead, &taken_.notices);
  }

  void Tell(const std::vector<LockRecord>& dead) {
    for (const LockRecord& lock : dead) {
      if (lock.holder.pid > 0) taken_.notices.push_back(TakeoverNotice(lock, places_.stack));
    }
  }

  // Its run stays where it is until it is in the checkpoint.
  void Inherit(const RunHead& former) {
    head_.run = former.run;
    head_.former = former.former;
    head_.former.push_back(former.lock);
    head_.commits = former.commits;
    head_.state = former.state == RunHead::State::kSaved ? former.state : RunHead::State::kRecovering;
    inherited_ = true;
  }

  Status LockedByHead(const RunHead& head) {
    return LockedError(Holders({ParseLockRecord(LocationOf(*bucket_, places_.head), head.owner_json)}));
  }

  // A head that cannot be given up now ends with its lease.
  void GiveUp() {
    if (!taken_.hold) return;
    if (inherited_) {
      taken_.hold->Abandon();
    } else {
      (void)taken_.hold->Release();
    }
  }

  // The reference may have been here before us, or at the same time, and have seen none but its own.
  Status LookAgain() {
    if (Status first = StillFirst(); !first.ok()) {
      GiveUp();
      return first;
    }
    const Result<std::vector<BlobInfo>> listed = bucket_->List(places_.locks, /*one_level=*/true);
    const bool alone = listed.ok() && listed->size() == 1 && listed->front().key == own_lock();
    if (alone) return Status::Ok();
    const Result<std::vector<LockRecord>> locks = listed.ok() ? ReadLocks(*bucket_, places_) : listed.status();
    const Status others = locks.ok() ? Judge(*locks) : locks.status();
    if (!others.ok()) GiveUp();
    return others;
  }

  // A command that took the head from us before our lock existed has not seen the lock, and works by now. A
  // command that does so from here on sees it, and removes it first.
  Status StillFirst() {
    if (!fenced_ || bucket_->transactions()) return Status::Ok();
    const Result<std::optional<Blob>> there = bucket_->Get(places_.head);
    if (!there.ok()) return there.status();
    const Result<RunHead> head = *there ? ParseRunHead(places_.head, (*there)->bytes) : RunHead();
    const bool ours = head.ok() && head->lock == head_.lock;
    if (!ours) return {Code::kAborted, "another command took stack " + places_.stack + " at the same time; try again"};
    return head->given_up() ? RemovedMeanwhile() : Status::Ok();
  }

  // By a cancel.
  Status RemovedMeanwhile() const {
    return {Code::kAborted, "another process removed the new lock of stack " + places_.stack + "; try again"};
  }

  Status Judge(const std::vector<LockRecord>& locks) {
    std::vector<LockRecord> living, dead;
    bool ours = false;
    for (const LockRecord& lock : locks) {
      const bool own = IsLock(lock, head_.lock);
      ours = ours || own;
      if (!own) (lock.gone || lock.headed ? dead : living).push_back(lock);
    }
    if (!living.empty()) return LockedError(Holders(living));
    if (!ours) return RemovedMeanwhile();
    const Status first = StillFirst();  // else they are of one who came after us
    return first.ok() ? RemoveDead(dead) : first;
  }

  const std::shared_ptr<BlobBucket> bucket_;
  const HoldKeys places_;
  const bool fenced_;
  RunHead head_;
  std::unique_ptr<LivenessLock> liveness_lock_;
  bool inherited_ = false;
  TakenHold taken_;
};

}  // namespace

std::string LocationOf(const BlobBucket& bucket, const std::string& key) {
  const std::string url = bucket.printable_url();
  const size_t query = std::min(url.find('?'), url.size());
  const bool slash = query > 0 && url[query - 1] == '/';
  return url.substr(0, query) + (slash ? "" : "/") + key + url.substr(query);
}

Result<std::vector<LockRecord>> ReadLocks(BlobBucket& bucket, const HoldKeys& places) {
  const Result<std::vector<BlobInfo>> listed = bucket.List(places.locks, /*one_level=*/true);
  if (!listed.ok()) return listed.status();
  std::vector<std::string> keys;
  for (const BlobInfo& info : *listed) keys.push_back(info.key);
  if (keys.empty()) return std::vector<LockRecord>();
  const Result<std::vector<std::optional<Blob>>> blobs = bucket.GetMany(keys);
  if (!blobs.ok()) return blobs.status();
  std::vector<LockRecord> locks;
  for (size_t i = 0; i < keys.size(); ++i) {
    if ((*blobs)[i]) locks.push_back(ParseLockRecord(LocationOf(bucket, keys[i]), (*blobs)[i]->bytes));
  }
  return locks;
}

bool IsLock(const LockRecord& lock, const std::string& id) {
  return !id.empty() && lock.holder.location.find("/" + id + ".json") != std::string::npos;
}

Status PutLock(BlobBucket& bucket, const HoldKeys& places, const std::string& id, const std::string& record) {
  return bucket.Put(places.LockKey(id), record, PutCondition::Always(), kRecord).status();
}

std::string KeyOf(const LockRecord& lock, const HoldKeys& places) {
  const std::string& location = lock.holder.location;
  const size_t name = location.rfind(places.locks);
  return location.substr(name, location.find('?', name) - name);
}

Status RemoveDeadLocks(BlobBucket& bucket, const HoldKeys& places, const std::vector<LockRecord>& dead,
                       std::vector<std::string>* notices) {
  for (const LockRecord& lock : dead) {
    const Status removed = bucket.Delete(KeyOf(lock, places));
    if (!removed.ok()) return removed;
    if (lock.holder.pid > 0) notices->push_back(TakeoverNotice(lock, places.stack));
  }
  return Status::Ok();
}

bool IsOfHead(const LockRecord& lock, const RunHead& head) {
  return IsLock(lock, head.lock) ||
         std::any_of(head.former.begin(), head.former.end(), [&](const std::string& id) { return IsLock(lock, id); });
}

bool HoldStatus::Gone(const LockRecord& lock) const {
  if (head && IsOfHead(lock, *head)) return owner_gone;
  return lock.gone || lock.headed;
}

Result<TakenHold> TakeHold(std::shared_ptr<BlobBucket> bucket, const HoldKeys& places, bool fenced) {
  return Taking(std::move(bucket), places, fenced).Run();
}

Result<HoldStatus> ReadHoldStatus(BlobBucket& bucket, const HoldKeys& places, bool fenced) {
  HoldStatus held;
  Result<std::optional<Blob>> blob{std::optional<Blob>()};
  Result<std::vector<LockRecord>> locks{std::vector<LockRecord>()};
  const Status looked = RunParallel(2, [&](size_t i) {
    if (i == 0) return (blob = bucket.Get(places.head)).status();
    return (locks = ReadLocks(bucket, places)).status();
  });
  if (!looked.ok()) return looked;
  held.locks = *std::move(locks);
  if (!*blob) return held;
  Result<RunHead> head = ParseRunHead(LocationOf(bucket, places.head), (*blob)->bytes);
  if (!head.ok()) return head.status();
  const Result<bool> gone = OwnerGone(bucket, places, *head, **blob, fenced);
  if (!gone.ok()) return gone.status();
  held.owner_gone = *gone;
  held.head_tag = (*blob)->tag;
  held.head = *std::move(head);
  return held;
}

uint64_t ContiguousBatches(const HoldKeys& places, const std::string& run, const std::vector<BlobInfo>& listed) {
  uint64_t count = 0;
  while (count < listed.size() && listed[count].key == places.BatchKey(run, count + 1)) ++count;
  return count;
}

Result<uint64_t> SealRun(BlobBucket& bucket, const HoldKeys& places, const std::string& run) {
  const Result<std::vector<BlobInfo>> batches = bucket.List(places.runs + run + "/", /*one_level=*/true);
  if (!batches.ok()) return batches.status();
  // The first that is missing is taken from its owner. It may have come meanwhile, so may the next.
  uint64_t number = std::max<uint64_t>(1, ContiguousBatches(places, run, *batches));
  for (int tries = 0; tries < kSealTriesMax; ++tries, ++number) {
    const std::string key = places.BatchKey(run, number);
    const Result<std::string> put = bucket.Put(key, kSeal, PutCondition::IfAbsent(), kRecord);
    if (put.ok()) return number - 1;
    if (put.status().code() != Code::kFailedPrecondition) return put.status();
    const Result<std::optional<Blob>> there = bucket.Get(key);
    if (!there.ok()) return there.status();
    if (*there && (*there)->bytes == kSeal) return number - 1;
  }
  return Status(Code::kAborted, "the journal of stack " + places.stack + " cannot be closed: after " +
                                    std::to_string(kSealTriesMax) +
                                    " tries the service still refuses a new object in it; try again");
}

Result<int> RemoveLocks(BlobBucket& bucket, const HoldKeys& places) {
  std::vector<std::string> keys;
  const Result<std::vector<BlobInfo>> locks = bucket.List(places.locks, /*one_level=*/true);
  if (!locks.ok()) return locks.status();
  for (const BlobInfo& info : *locks) keys.push_back(info.key);
  if (const Status removed = bucket.DeleteMany(keys); !removed.ok()) return removed;
  return static_cast<int>(keys.size());
}

namespace {

// The head as a cancel leaves it. What is in the checkpoint is not taken in once more.
RunHead Broken(const HoldStatus& there, const HoldKeys& places) {
  RunHead head = there.head ? *there.head : RunHead();
  const bool nothing_left = !there.head || head.state == RunHead::State::kSaved || head.state == RunHead::State::kFree;
  head.state = nothing_left ? RunHead::State::kFree : RunHead::State::kLeft;
  if (nothing_left) head.run = NewLockId();
  if (head.stack.empty()) head.stack = places.stack;
  if (head.owner_json.empty()) head.owner_json = NewLockRecord();
  ++head.renewals;
  return head;
}

// The head first, if it is the one that was seen: then the locks that were seen with it are those of its owner, and of
// other tools. FailedPrecondition: it was another one by then, and nothing is changed.
Status BreakSeen(BlobBucket& bucket, const HoldKeys& places, bool fenced, const HoldStatus& there) {
  const RunHead broken = Broken(there, places);
  PutCondition condition = there.head ? PutCondition::IfTag(there.head_tag) : PutCondition::IfAbsent();
  std::vector<std::string> locks;
  for (const LockRecord& lock : there.locks) locks.push_back(KeyOf(lock, places));
  if (BlobTransactions* database = bucket.transactions()) {
    std::vector<BlobChange> changes = {BlobChange::Put(places.head, EncodeRunHead(broken), condition)};
    for (const std::string& key : locks) changes.push_back(BlobChange::Delete(key));
    return database->Commit(changes).status();
  }
  if (!fenced) condition = PutCondition::Always();
  const Result<std::string> put = bucket.Put(places.head, EncodeRunHead(broken), condition, kRecord);
  if (!put.ok()) return put.status();
  if (fenced && broken.state == RunHead::State::kLeft) {
    if (const Result<uint64_t> batches = SealRun(bucket, places, broken.run); !batches.ok()) return batches.status();
  }
  return bucket.DeleteMany(locks);
}

}  // namespace

// It affects the owner of the stack as it arrives: if the head is another one than it has seen, it looks anew.
Result<int> BreakHold(BlobBucket& bucket, const HoldKeys& places, bool fenced) {
  for (int tries = 0; tries < kBreakTriesMax; ++tries) {
    const Result<HoldStatus> there = ReadHoldStatus(bucket, places, fenced);
    if (!there.ok()) return there.status();
    const bool held = there->head && !there->head->given_up();
    const int count = std::max<int>(held ? 1 : 0, static_cast<int>(there->locks.size()));
    if (count == 0) return 0;
    const Status broken = BreakSeen(bucket, places, fenced, *there);
    if (broken.ok()) return count;
    if (broken.code() != Code::kFailedPrecondition) return broken;
  }
  return Status(Code::kAborted, "stack " + places.stack + " got another owner " + std::to_string(kBreakTriesMax) +
                                    " times during the cancel, so nothing was cancelled; run the command again");
}

}  // namespace kingpost
