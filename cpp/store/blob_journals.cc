// SPDX-License-Identifier: Apache-2.0
// BlobStore: who holds a stack, and the journals of those who hold it.
//
//     head ─▶ lock ─▶ RUN/00000001, RUN/00000002, ... ─▶ head names the checkpoint ─▶ checkpoint ─▶ batches, lock, head
//     go
//
//     the holder is gone:   head: recovering ─▶ RUN is sealed and read ─▶ replayed ─▶ checkpoint ─▶ head: a new run
//
// In a database one transaction saves the checkpoint and removes the batches, and a batch is only taken while the lock
// exists. That takes the place of the seal, and of the name.
#include <algorithm>
#include <atomic>

#include "base/command_name.h"
#include "base/digest.h"
#include "base/os.h"
#include "remote/blob/blob_transactions.h"
#include "remote/blob/run_parallel.h"
#include "store/blob_journal.h"
#include "store/blob_store.h"
#include "store/plain_blob_lock.h"

namespace kingpost {

namespace {

class BlobLock : public StackLock {
 public:
  explicit BlobLock(TakenHold taken) : hold_(std::move(taken.hold)) { notices_ = std::move(taken.notices); }
  ~BlobLock() override { (void)Release(); }

  Status CheckHeld() override { return hold_->CheckHeld(); }
  Status WhileHeld(const std::function<Status()>& action) override {
    const Status held = hold_->Confirm();
    return held.ok() ? action() : held;
  }
  Status Release() override { return done_.exchange(true) ? Status::Ok() : hold_->Release(); }
  void Abandon() override {
    if (!done_.exchange(true)) hold_->Abandon();
  }

 private:
  const std::shared_ptr<BlobHold> hold_;
  std::atomic<bool> done_{false};
};

constexpr int kReclaimTriesMax = 10;  // each is spoilt by a request that was late, of which there are few

Status BeginRun(BlobHold& hold) {
  return hold.Update([](RunHead* head) {
    head->run = NewLockId();
    head->state = RunHead::State::kOpen;
    head->commits.clear();
    head->former.clear();
  });
}

Status WithRemedy(const Status& status) {
  if (status.code() != Code::kPermissionDenied) return status;
  return {status.code(), status.message() +
                             ". If a policy allows only Pulumi's own keys, set "
                             "KINGPOST_CHECKPOINT_EVERY_STEP=true"};
}

std::string NoConditions() {
  return "this store ignores conditions, so an operation that dies on another machine is only taken over after " +
         QuotedCommand("cancel");
}

}  // namespace

HoldKeys BlobStore::PlacesOf(const StackName& stack) const {
  const std::string runs = Key((*layout_)->RunFolder(stack)) + "/";
  return {stack.name, runs + "head.json", runs, Key((*layout_)->LockFolder(stack)) + "/"};
}

std::shared_ptr<BlobHold> BlobStore::HoldOf(const StackName& stack) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = holds_.find(stack.str());
  return found == holds_.end() ? nullptr : found->second.lock();
}

Result<std::shared_ptr<BlobHold>> BlobStore::NeedHold(const StackName& stack) const {
  std::shared_ptr<BlobHold> hold = HoldOf(stack);
  if (!hold) return Status(Code::kFailedPrecondition, "stack " + stack.name + " is not held");
  return hold;
}

Result<bool> BlobStore::Fenced() {
  const std::lock_guard<std::mutex> lock(probe_mutex_);
  if (honored_conditions_) return honored_conditions_->puts;
  const Result<HonoredConditions> minds = FindHonoredConditions(*bucket_);
  if (!minds.ok()) return minds.status();
  honored_conditions_ = *minds;
  return minds->puts;
}

Status BlobStore::DeleteVersion(const std::string& key, const std::string& tag) {
  return honored_conditions_ && honored_conditions_->deletes ? bucket_->DeleteIf(key, tag) : bucket_->Delete(key);
}

Result<std::unique_ptr<StackLock>> BlobStore::Lock(const StackName& stack) {
  Status ready = Ready(stack);
  if (ready.ok()) ready = EnsureMeta();
  if (!ready.ok()) return ready;
  if (options_.every_step) return LockPlainly(stack);
  const Result<bool> fenced = Fenced();
  if (!fenced.ok()) return WithRemedy(fenced.status());
  Result<TakenHold> taken = TakeHold(bucket_, PlacesOf(stack), *fenced);
  if (!taken.ok()) return WithRemedy(taken.status());
  if (!*fenced) taken->notices.push_back(NoConditions());
  const std::lock_guard<std::mutex> lock(mutex_);
  holds_[stack.str()] = taken->hold;
  current_.erase(stack.str());  // what was seen before the lock was ours
  return std::unique_ptr<StackLock>(std::make_unique<BlobLock>(*std::move(taken)));
}

Result<std::unique_ptr<StackLock>> BlobStore::LockPlainly(const StackName& stack) {
  auto held = std::make_shared<int>();
  Result<std::unique_ptr<StackLock>> lock = TakePlainLock(bucket_, PlacesOf(stack), held);
  const std::lock_guard<std::mutex> guard(mutex_);
  plain_holds_[stack.str()] = held;
  current_.erase(stack.str());
  return lock;
}

bool BlobStore::IsHeld(const StackName& stack) const {
  if (HoldOf(stack)) return true;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = plain_holds_.find(stack.str());
  return found != plain_holds_.end() && !found->second.expired();
}

Result<std::vector<LockHolder>> BlobStore::Locks(const StackName& stack) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  if (options_.every_step) {
    const Result<std::vector<LockRecord>> locks = ReadLocks(*bucket_, PlacesOf(stack));
    return locks.ok() ? Result<std::vector<LockHolder>>(Holders(*locks)) : locks.status();
  }
  const Result<bool> fenced = Fenced();
  if (!fenced.ok()) return fenced.status();
  Result<HoldStatus> held = ReadHoldStatus(*bucket_, PlacesOf(stack), *fenced);
  if (!held.ok()) return held.status();
  for (LockRecord& lock : held->locks) lock.gone = held->Gone(lock);
  return Holders(held->locks);
}

Result<int> BlobStore::BreakLocks(const StackName& stack) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  if (options_.every_step) return RemoveLocks(*bucket_, PlacesOf(stack));
  const Result<bool> fenced = Fenced();
  if (!fenced.ok()) return fenced.status();
  return BreakHold(*bucket_, PlacesOf(stack), *fenced);
}

Result<std::string> BlobStore::JournalPath(const StackName& stack) {
  const Status ready = Ready(stack);
  return ready.ok() ? Result<std::string>(std::string()) : ready;
}

std::string BlobStore::LocalPath(const StackName& stack) const {
  const std::string store = Sha256Hex(bucket_->printable_url()).substr(0, 16);
  return PulumiHome() + "/journals/" + store + "/" + stack.project + "/" + stack.name + ".journal";
}

Result<std::unique_ptr<JournalFile>> BlobStore::Create(const StackName& stack) {
  const Result<std::shared_ptr<BlobHold>> hold = NeedHold(stack);
  if (!hold.ok()) return hold.status();
  if (const RunHead head = (*hold)->head(); !head.commits.empty() || head.state != RunHead::State::kOpen) {
    const Status begun = BeginRun(**hold);  // another operation under the same lock
    if (!begun.ok()) return begun;
  }
  const std::string copy = LocalPath(stack) + "." + (*hold)->head().run + ".copy";
  return std::unique_ptr<JournalFile>(std::make_unique<BlobJournal>(bucket_, *hold, copy));
}

Result<std::string> BlobStore::ReadRun(const HoldKeys& places, const std::string& run, uint64_t batches) {
  std::vector<std::string> keys;
  for (uint64_t number = 1; number <= batches; ++number) keys.push_back(places.BatchKey(run, number));
  if (keys.empty()) return std::string();
  const Result<std::vector<std::optional<Blob>>> blobs = bucket_->GetMany(keys);
  if (!blobs.ok()) return blobs.status();
  std::string bytes;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!(*blobs)[i]) {
      return Status(Code::kDataLoss, LocationOf(*bucket_, keys[i]) + ": this part of the journal is missing");
    }
    if ((*blobs)[i]->bytes == kSeal) break;
    bytes += (*blobs)[i]->bytes;
  }
  return bytes;
}

Result<std::optional<LeftoverJournal>> BlobStore::Peek(const StackName& stack) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  const HoldKeys places = PlacesOf(stack);
  const Result<std::optional<Blob>> blob = bucket_->Get(places.head);
  if (!blob.ok()) return blob.status();
  if (!*blob) return std::optional<LeftoverJournal>();
  const Result<RunHead> head = ParseRunHead(LocationOf(*bucket_, places.head), (*blob)->bytes);
  if (!head.ok()) return head.status();
  if (head->state == RunHead::State::kFree) return std::optional<LeftoverJournal>();
  const Result<bool> fenced = Fenced();
  if (!fenced.ok()) return fenced.status();
  const Result<HoldStatus> held = ReadHoldStatus(*bucket_, places, *fenced);
  if (!held.ok()) return held.status();
  if (!held->head || !held->owner_gone || held->head->state == RunHead::State::kSaved) {
    return std::optional<LeftoverJournal>();
  }
  const Result<std::vector<BlobInfo>> listed = bucket_->List(places.runs + held->head->run + "/", true);
  if (!listed.ok()) return listed.status();
  const uint64_t batches = ContiguousBatches(places, held->head->run, *listed);
  Result<std::string> bytes = ReadRun(places, held->head->run, batches);
  if (!bytes.ok()) return bytes.status();
  if (bytes->empty()) return std::optional<LeftoverJournal>();
  return std::optional<LeftoverJournal>(LeftoverJournal{
      *std::move(bytes), LocationOf(*bucket_, places.runs + held->head->run + "/"), held->head->commits});
}

bool BlobStore::MayHaveLeftover(const StackName& stack) {
  const std::shared_ptr<BlobHold> hold = HoldOf(stack);
  return !hold || hold->head().state != RunHead::State::kOpen;
}

Result<std::optional<LeftoverJournal>> BlobStore::Take(const StackName& stack) {
  const Result<std::shared_ptr<BlobHold>> hold = NeedHold(stack);
  if (!hold.ok()) return hold.status();
  const RunHead head = (*hold)->head();
  const HoldKeys places = PlacesOf(stack);
  if (head.state == RunHead::State::kOpen) return std::optional<LeftoverJournal>();
  if (head.state == RunHead::State::kSaved) {
    const Status discarded = Discard(stack);
    return discarded.ok() ? Result<std::optional<LeftoverJournal>>(std::nullopt) : discarded;
  }
  (*hold)->set_leftover(true);
  (*hold)->set_taken();
  uint64_t batches = 0;
  if ((*hold)->fenced() && !bucket_->transactions()) {
    const Result<uint64_t> sealed = SealRun(*bucket_, places, head.run);
    if (!sealed.ok()) return sealed.status();
    batches = *sealed;
  } else {
    const Result<std::vector<BlobInfo>> listed = bucket_->List(places.runs + head.run + "/", true);
    if (!listed.ok()) return listed.status();
    batches = ContiguousBatches(places, head.run, *listed);
  }
  if (batches == 0) {
    const Status discarded = Discard(stack);
    return discarded.ok() ? Result<std::optional<LeftoverJournal>>(std::nullopt) : discarded;
  }
  Result<std::string> bytes = ReadRun(places, head.run, batches);
  if (!bytes.ok()) return bytes.status();
  return std::optional<LeftoverJournal>(
      LeftoverJournal{*std::move(bytes), LocationOf(*bucket_, places.runs + head.run + "/"), head.commits});
}

Status BlobStore::CheckNothingLeft(const StackName& stack) {
  const std::shared_ptr<BlobHold> hold = HoldOf(stack);
  if (!hold || hold->taken() || !MayHaveLeftover(stack)) return Status::Ok();
  const Result<std::optional<LeftoverJournal>> left = Take(stack);
  if (!left.ok() || !*left) return left.status();
  return {Code::kFailedPrecondition, "an interrupted operation has left records of stack " + stack.name + " in " +
                                         (*left)->location + "; run " + QuotedCommand("refresh") +
                                         " on it first, which recovers them"};
}

Status BlobStore::NoteCommit(const StackName& stack, const std::string& checkpoint_hash) {
  const Result<std::shared_ptr<BlobHold>> hold = NeedHold(stack);
  if (!hold.ok()) return hold.status();
  return (*hold)->Update([&](RunHead* head) { head->commits.push_back(checkpoint_hash); });
}

Status BlobStore::BeginReclaimed(const StackName& stack, BlobHold& hold) {
  for (int tries = 0; tries < kReclaimTriesMax; ++tries) {
    const Result<Current> current = FindCurrent(stack);
    if (!current.ok()) return current.status();
    if (const Status ours = tries == 0 ? BeginRun(hold) : hold.Update([](RunHead*) {}); !ours.ok()) return ours;
    if (!current->exists) return Status::Ok();
    // Its tag may be a digest, so the bytes have to be others, too: JSON may end in any white space.
    Result<std::string> plain = Decompress(current->bytes, LocationOf(*bucket_, current->key));
    if (!plain.ok()) return plain.status();
    const std::string moved_to = hold.head().moved_to;
    const std::string target = moved_to.empty() ? current->key : moved_to;
    const Result<std::string> packed = Compress(CompressionOfKey(target), *plain + "\n");
    if (!packed.ok()) return packed.status();
    const Result<std::string> put = Write(target, *packed, Replacing(*current, target));
    if (put.ok()) Note(stack, {true, target, *put, "", {}});
    if (put.ok() && target != current->key) return DeleteVersion(current->key, current->tag);
    if (put.status().code() != Code::kFailedPrecondition) return put.status();  // else one was late just now
  }
  return {Code::kAborted, "another process changed the state of stack " + stack.name + " " +
                              std::to_string(kReclaimTriesMax) + " times during the takeover; try again"};
}

// The seal stays: an append that is late must find it. So do others of this week; what is older goes.
Status BlobStore::Discard(const StackName& stack) {
  const Result<std::shared_ptr<BlobHold>> hold = NeedHold(stack);
  if (!hold.ok()) return hold.status();
  const HoldKeys places = PlacesOf(stack);
  const RunHead head = (*hold)->head();
  const std::string former = head.run;
  const bool unsaved = head.state == RunHead::State::kRecovering && !(*hold)->saved();
  const bool reclaims = unsaved && (*hold)->fenced() && !bucket_->transactions();
  if (const Status begun = reclaims ? BeginReclaimed(stack, **hold) : BeginRun(**hold); !begun.ok()) return begun;
  (*hold)->set_leftover(false);
  const Result<std::vector<BlobInfo>> listed = bucket_->List(places.runs, /*one_level=*/false);
  if (!listed.ok()) return listed.status();
  // By the store's clock: it has the head, which was written just now.
  int64_t now_ms = 0;
  for (const BlobInfo& info : *listed) now_ms = std::max(now_ms, info.modified_ms);
  const int64_t week_ago_ms = now_ms - int64_t{7} * 24 * 3600 * 1000;
  std::vector<std::string> keys;
  for (const BlobInfo& info : *listed) {
    const bool of_run = info.key.starts_with(places.runs + former + "/");
    const bool seal = info.size == static_cast<int64_t>(sizeof kSeal - 1);
    const bool old = info.modified_ms < week_ago_ms && places.IsBatch(info.key);
    if ((of_run && !seal) || old) keys.push_back(info.key);
  }
  return bucket_->DeleteMany(keys);
}

Compression BlobStore::CompressionFor(const Current& former, BlobHold* hold) const {
  if (const std::string moved_to = hold ? hold->head().moved_to : ""; !moved_to.empty())
    return CompressionOfKey(moved_to);
  const bool stays = former.exists && honored_conditions_ && honored_conditions_->puts && !honored_conditions_->deletes;
  return stays ? CompressionOfKey(former.key) : options_.compression;
}

// .bak, checkpoint and the end of the journal, or nothing of it; and only while the lock is there.
Status BlobStore::SaveInTransaction(BlobTransactions& database, const StackName& stack, const Current& former,
                                    const std::string& target, const std::string& bytes,
                                    const std::string& checkpoint_hash, Current* saved) {
  const std::shared_ptr<BlobHold> hold = HoldOf(stack);
  const bool same = former.exists && former.key == target;
  std::vector<BlobChange> changes = {BlobChange::Require(hold->lock_key())};
  if (former.exists) changes.push_back(BlobChange::Copy(former.key, former.key + ".bak"));
  const size_t put = changes.size();
  changes.push_back(BlobChange::Put(target, bytes, Replacing(former, target)));
  if (former.exists && !same) changes.push_back(BlobChange::Delete(former.key, PutCondition::IfTag(former.tag)));
  // A batch that is sent twice may come in once more behind this: the head says that all of its run is saved.
  const RunHead head = hold->head();
  if (head.state == RunHead::State::kOpen)
    changes.push_back(BlobChange::DeleteBelow(PlacesOf(stack).runs + head.run + "/"));
  const Status done = hold->CommitWith(checkpoint_hash, [&](const BlobChange& put_head) -> Result<std::string> {
    std::vector<BlobChange> all = changes;
    all.push_back(put_head);
    const Result<std::vector<std::string>> tags = database.Commit(all);
    if (!tags.ok()) return tags.status();
    saved->tag = (*tags)[put];
    return tags->back();
  });
  if (done.ok() && head.state == RunHead::State::kOpen) hold->set_leftover(false);
  return done;
}

}  // namespace kingpost
