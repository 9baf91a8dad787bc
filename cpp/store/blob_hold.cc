// SPDX-License-Identifier: Apache-2.0
#include "store/blob_hold.h"

#include <time.h>

#include <chrono>
#include <cstdio>

#include "base/command_name.h"
#include "store/lock_record.h"

namespace kingpost {

namespace {

constexpr char kJson[] = "text/plain; charset=utf-8";

// Counts the time in which the machine slept.
double SecondsSinceBoot() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

void SetFree(RunHead* head) {
  head->state = RunHead::State::kFree;
  head->run = NewLockId();
  head->commits.clear();
  head->former.clear();
}

}  // namespace

std::string HoldKeys::BatchKey(const std::string& run, uint64_t number) const {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%08llu", static_cast<unsigned long long>(number));
  return runs + run + "/" + digits;
}

bool HoldKeys::IsBatch(const std::string& key) const {
  if (!key.starts_with(runs)) return false;
  const size_t slash = key.find('/', runs.size());
  return slash != std::string::npos && slash + 1 < key.size() &&
         key.find_first_not_of("0123456789", slash + 1) == std::string::npos;
}

BlobHold::BlobHold(std::shared_ptr<BlobBucket> bucket, HoldKeys places, RunHead head, std::string tag, bool fenced)
    : bucket_(std::move(bucket)),
      places_(std::move(places)),
      fenced_(fenced),
      lock_id_(head.lock),
      head_(std::move(head)),
      tag_(std::move(tag)),
      renewed_(SecondsSinceBoot()) {}

BlobHold::~BlobHold() { StopRenewals(); }

void BlobHold::StartRenewals() { renewals_ = std::thread(&BlobHold::RunRenewals, this); }

void BlobHold::StopRenewals() {
  {
    const std::lock_guard<std::mutex> lock(stop_mutex_);
    stopping_ = true;
    stop_wake_.notify_all();
  }
  if (renewals_.joinable()) renewals_.join();
}

void BlobHold::RunRenewals() {
  const auto pause = std::chrono::milliseconds(head().lease_seconds * 250);
  std::unique_lock<std::mutex> stop(stop_mutex_);
  while (!stop_wake_.wait_for(stop, pause, [this] { return stopping_; })) {
    stop.unlock();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!lost_.ok() || released_) return;
      if (liveness_lock_) (void)liveness_lock_->Renew();
      (void)Renew();  // what is lost is asked for by CheckHeld, what is out of reach is tried again
    }
    stop.lock();
  }
}

RunHead BlobHold::head() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return head_;
}

void BlobHold::MarkLost(const std::string& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (lost_.ok()) lost_ = Status(Code::kAborted, why);
}

void BlobHold::set_leftover(bool leftover) {
  const std::lock_guard<std::mutex> lock(mutex_);
  leftover_ = leftover;
}

void BlobHold::NoteDoubt(const Status& failure) {
  const bool refused = failure.code() == Code::kFailedPrecondition || failure.code() == Code::kPermissionDenied;
  if (fenced_ && !bucket_->transactions() && !refused) set_leftover(true);
}

bool BlobHold::leftover() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return leftover_;
}

Status BlobHold::CheckHeld() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!lost_.ok()) return lost_;
  if (released_) return {Code::kAborted, "the lock of stack " + places_.stack + " was released"};
  // Another command that takes over waits for the whole lease. We were asleep, or the store is out of reach: ask.
  if (SecondsSinceBoot() - renewed_ < head_.lease_seconds * 0.75) return Status::Ok();
  const Status renewed = Renew();
  if (renewed.ok() || renewed.code() == Code::kAborted) return renewed;
  return {Code::kAborted, "the lock of stack " + places_.stack + " could not be renewed for " +
                              std::to_string(static_cast<int>(SecondsSinceBoot() - renewed_)) +
                              " seconds, so another command may take it over: " + renewed.message()};
}

Status BlobHold::Confirm() {
  if (const Status held = CheckHeld(); !held.ok()) return held;
  const std::lock_guard<std::mutex> lock(mutex_);
  return CheckLock();
}

Status BlobHold::Update(const std::function<void(RunHead*)>& change) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!lost_.ok()) return lost_;
  RunHead head = head_;
  change(&head);
  return PutHead(std::move(head));
}

// With the mutex throughout, so that no renewal comes between. As in ReplaceOwnHead, a head that is not the one we know
// of may be one that we stored without hearing of it.
Status BlobHold::CommitWith(const std::string& checkpoint_hash,
                            const std::function<Result<std::string>(const BlobChange& head)>& commit) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!lost_.ok()) return lost_;
  head_.commits.push_back(checkpoint_hash);
  ++head_.renewals;
  const std::string bytes = EncodeRunHead(head_);
  Result<std::string> done = commit(BlobChange::Put(places_.head, bytes, PutCondition::IfTag(tag_)));
  if (done.status().code() == Code::kFailedPrecondition) {
    const Result<std::optional<Blob>> there = bucket_->Get(places_.head);
    if (!there.ok()) return there.status();
    const Result<RunHead> head = *there ? ParseRunHead(places_.head, (*there)->bytes) : done.status();
    const bool ours = head.ok() && head->lock == lock_id_ && !head->given_up();
    if (!ours || (*there)->tag == tag_) return done.status();
    tag_ = (*there)->tag;
    done = commit(BlobChange::Put(places_.head, bytes, PutCondition::IfTag(tag_)));
  }
  if (done.ok()) tag_ = *done;
  return done.status();
}

Status BlobHold::Renew() {
  const Status looked = CheckLock();
  return looked.ok() ? PutHead(head_) : looked;
}

Status BlobHold::CheckLock() {
  const Result<std::optional<Blob>> lock = bucket_->Get(lock_key());
  if (!lock.ok()) return lock.status();
  if (*lock) return Status::Ok();
  lost_ = Status(Code::kAborted, "the lock of stack " + places_.stack + " was removed, perhaps by " +
                                     QuotedCommand("cancel") +
                                     "; stopping, because another operation "
                                     "may be running");
  return lost_;
}

// Another head than the one we know of may still be ours: one that was stored, and of which we were not told.
Result<std::string> BlobHold::ReplaceOwnHead(const std::string& bytes) {
  const PutCondition condition = fenced_ ? PutCondition::IfTag(tag_) : PutCondition::Always();
  const Result<std::string> put = bucket_->Put(places_.head, bytes, condition, kJson);
  if (put.status().code() != Code::kFailedPrecondition) return put;
  const Result<std::optional<Blob>> there = bucket_->Get(places_.head);
  if (!there.ok()) return there.status();
  const Result<RunHead> head = *there ? ParseRunHead(places_.head, (*there)->bytes) : put.status();
  if (!head.ok() || head->lock != lock_id_ || head->given_up()) return put;
  return bucket_->Put(places_.head, bytes, PutCondition::IfTag((*there)->tag), kJson);
}

Status BlobHold::PutHead(RunHead head) {
  ++head.renewals;
  const double sent = SecondsSinceBoot();
  const Result<std::string> put = ReplaceOwnHead(EncodeRunHead(head));
  if (put.status().code() == Code::kFailedPrecondition) {
    lost_ = Status(Code::kAborted, "stack " + places_.stack +
                                       " was taken over by another command, or its lock was cancelled; stopping, "
                                       "because another operation may be running");
    return lost_;
  }
  if (!put.ok()) return put.status();
  head_ = std::move(head);
  tag_ = *put;
  renewed_ = sent;
  return Status::Ok();
}

Status BlobHold::Release() {
  StopRenewals();
  const Status held = CheckHeld();
  bool lost = false, left = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (released_) return Status::Ok();
    lost = !lost_.ok();
    left = (leftover_ || head_.state == RunHead::State::kRecovering) && !lost;
    released_ = !left;
  }
  if (left) {
    Abandon();
    return Status::Ok();
  }
  // The lock has a name of its own; the head is another's by now.
  if (!held.ok()) return bucket_->Delete(lock_key());
  const Status freed = bucket_->transactions() ? FreeInTransaction(*bucket_->transactions()) : FreeHead();
  if (!freed.ok() && freed.code() != Code::kAborted) return freed;
  const bool in_one = bucket_->transactions() && freed.ok();
  const Status removed = in_one ? Status() : bucket_->Delete(lock_key());
  if (!removed.ok() || !freed.ok() || !removed_) return removed;
  // Last: until then it tells whose lock that is. Another command may have taken the free head meanwhile, to make the
  // stack anew.
  const std::lock_guard<std::mutex> lock(mutex_);
  const Status gone = bucket_->DeleteIf(places_.head, tag_);
  return gone.code() == Code::kFailedPrecondition ? Status::Ok() : gone;
}

// The head goes before the lock: a lock that no head names has no owner. So its removal may come late, and the next
// command need not wait for it.
Status BlobHold::FreeHead() { return Update(SetFree); }

// The row of the head stays, as the object does in a bucket: a transaction that took the stack and comes in once more
// finds it, and changes nothing. The head may be one that we stored without hearing of it: what is renewed first is
// known.
Status BlobHold::FreeInTransaction(BlobTransactions& database) {
  const auto free = [&]() -> Status {
    const std::lock_guard<std::mutex> lock(mutex_);
    RunHead head = head_;
    SetFree(&head);
    ++head.renewals;
    const Result<std::vector<std::string>> tags =
        database.Commit({BlobChange::Put(places_.head, EncodeRunHead(head), PutCondition::IfTag(tag_)),
                         BlobChange::Delete(lock_key())});
    if (!tags.ok()) return tags.status();
    head_ = std::move(head);
    tag_ = tags->front();
    return Status::Ok();
  };
  Status freed = free();
  if (freed.code() != Code::kFailedPrecondition) return freed;
  if (Status known = Update([](RunHead*) {}); !known.ok()) return known;
  freed = free();
  return freed.code() == Code::kFailedPrecondition ? Status(Code::kAborted, freed.message()) : freed;
}

void BlobHold::Abandon() {
  StopRenewals();
  // Without it the next one has to wait for the end of the lease.
  (void)Update([](RunHead* head) { head->state = RunHead::State::kLeft; });
  const std::lock_guard<std::mutex> lock(mutex_);
  released_ = true;
}

}  // namespace kingpost
