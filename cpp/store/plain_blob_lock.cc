// SPDX-License-Identifier: Apache-2.0
#include "store/plain_blob_lock.h"

#include <atomic>
#include <chrono>

#include "base/command_name.h"
#include "store/blob_lock.h"

namespace kingpost {

namespace {

constexpr std::chrono::seconds kLookAgain{2};

class PlainBlobLock : public StackLock {
 public:
  PlainBlobLock(std::shared_ptr<BlobBucket> bucket, const HoldKeys& places, const std::string& id,
                std::shared_ptr<void> held)
      : bucket_(std::move(bucket)), held_(std::move(held)), stack_(places.stack), key_(places.LockKey(id)) {}
  ~PlainBlobLock() override { (void)Release(); }

  // Asked with each record, and the reference does not look at all: once in a while will do.
  Status CheckHeld() override {
    const auto now = std::chrono::steady_clock::now();
    return now - seen_.load() < kLookAgain ? Status::Ok() : Look();
  }
  Status WhileHeld(const std::function<Status()>& action) override {
    const Status held = Look();
    return held.ok() ? action() : held;
  }
  Status Release() override { return done_.exchange(true) ? Status::Ok() : bucket_->Delete(key_); }
  void Abandon() override {
    if (!done_.exchange(true)) AbandonLock(LocationOf(*bucket_, key_));
  }
  void set_notices(std::vector<std::string> notices) { notices_ = std::move(notices); }

 private:
  Status Look() {
    const auto now = std::chrono::steady_clock::now();
    const Result<std::optional<Blob>> lock = bucket_->Get(key_);
    if (!lock.ok()) return lock.status();
    if (*lock) seen_ = now;
    if (*lock) return Status::Ok();
    return {Code::kAborted, "the lock of stack " + stack_ + " was removed, perhaps by " + QuotedCommand("cancel") +
                                "; stopping, because another operation may "
                                "be running"};
  }

  const std::shared_ptr<BlobBucket> bucket_;
  const std::shared_ptr<void> held_;
  const std::string stack_, key_;
  std::atomic<std::chrono::steady_clock::time_point> seen_{std::chrono::steady_clock::now()};
  std::atomic<bool> done_{false};
};

}  // namespace

Result<std::unique_ptr<StackLock>> TakePlainLock(const std::shared_ptr<BlobBucket>& bucket, const HoldKeys& places,
                                                 std::shared_ptr<void> held) {
  Result<std::vector<LockRecord>> locks = ReadLocks(*bucket, places);
  if (!locks.ok()) return locks.status();
  std::vector<LockRecord> living, dead;
  for (const LockRecord& lock : *locks) (lock.gone ? dead : living).push_back(lock);
  if (!living.empty()) return LockedError(Holders(living));
  const std::string id = NewLockId();
  if (const Status put = PutLock(*bucket, places, id, NewLockRecord()); !put.ok()) return put;
  auto taken =
      std::make_unique<PlainBlobLock>(bucket, places, id, std::move(held));  // gone again if it is not returned
  std::vector<std::string> notices;
  if (const Status removed = RemoveDeadLocks(*bucket, places, dead, &notices); !removed.ok()) return removed;
  taken->set_notices(std::move(notices));
  const Result<std::vector<BlobInfo>> listed = bucket->List(places.locks, /*one_level=*/true);
  if (!listed.ok()) return listed.status();
  if (listed->size() == 1 && listed->front().key == places.LockKey(id))
    return std::unique_ptr<StackLock>(std::move(taken));
  locks = ReadLocks(*bucket, places);
  if (!locks.ok()) return locks.status();
  for (const LockRecord& lock : *locks) {
    if (!IsLock(lock, id)) living.push_back(lock);
  }
  if (!living.empty()) return LockedError(Holders(living));
  return Status(Code::kAborted, "another process removed the new lock of stack " + places.stack + "; try again");
}

}  // namespace kingpost
