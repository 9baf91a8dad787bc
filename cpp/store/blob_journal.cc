// SPDX-License-Identifier: Apache-2.0
#include "store/blob_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <future>
#include <utility>

#include "base/disk/durable_file.h"
#include "remote/blob/blob_transactions.h"
#include "store/blob_lock.h"

namespace kingpost {

namespace {

constexpr char kBatchType[] = "application/octet-stream";

}  // namespace

BlobJournal::BlobJournal(std::shared_ptr<BlobBucket> bucket, std::shared_ptr<BlobHold> hold, std::string copy)
    : bucket_(std::move(bucket)),
      hold_(std::move(hold)),
      run_(hold_->head().run),
      copy_(std::move(copy)),
      sender_([this](uint64_t number, const std::string& bytes) { return Send(number, bytes); }) {}

BlobJournal::~BlobJournal() {
  if (copy_fd_ >= 0) ::close(copy_fd_);
  // A record that is in the store, or in a kept file that the user knows, is not needed here.
  if (removed_ || sender_.all_stored()) (void)RemoveFile(copy_);
}

// A copy that cannot be made does not stop the operation.
void BlobJournal::CopyLocally(uint64_t offset, std::string_view bytes) {
  if (copy_.empty()) return;
  if (copy_fd_ < 0) {
    if (!MakeFolders(copy_.substr(0, copy_.rfind('/'))).ok()) return;
    copy_fd_ = ::open(copy_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  while (copy_fd_ >= 0 && !bytes.empty()) {
    const ssize_t written = ::pwrite(copy_fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
}

Status BlobJournal::Write(uint64_t offset, std::string_view bytes) {
  collected_ += bytes;
  CopyLocally(offset, bytes);
  return Status::Ok();
}

Status BlobJournal::Sync() {
  std::promise<Status> done;
  SyncAsync([&done](const Status& synced) { done.set_value(synced); });
  return done.get_future().get();
}

// A failure here does not end the journal, because steps in flight are still to be recorded. Waiting callers learn
// from CheckInPlace that the stack is lost, or out of reach.
void BlobJournal::SyncAsync(std::function<void(const Status&)> synced) {
  if (!headed_) {
    headed_ = true;  // an operation that changes nothing leaves no trace
    return synced(Status::Ok());
  }
  if (!collected_.empty()) hold_->set_leftover(true);
  sender_.Add(std::exchange(collected_, ""), [synced = std::move(synced)] { synced(Status::Ok()); });
}

Status BlobJournal::Send(uint64_t number, const std::string& bytes) {
  const std::string key = hold_->places().BatchKey(run_, number);
  if (BlobTransactions* database = bucket_->transactions()) {
    const Status put = database->PutGuarded(hold_->lock_key(), key, bytes);
    if (put.code() == Code::kAborted) hold_->MarkLost(put.message());
    return put;
  }
  const PutCondition condition = hold_->fenced() ? PutCondition::IfAbsent() : PutCondition::Always();
  const Status put = bucket_->Put(key, bytes, condition, kBatchType).status();
  if (put.code() != Code::kFailedPrecondition) return put;
  // A batch that was sent before, and whose answer was lost, is ours.
  const Result<std::optional<Blob>> there = bucket_->Get(key);
  if (!there.ok()) return there.status();
  if (*there && (*there)->bytes == bytes) return Status::Ok();
  const Status lost(Code::kAborted, "the journal " + LocationOf(*bucket_, key) +
                                        " was closed by another command, which has taken over the stack");
  hold_->MarkLost(lost.message());
  return lost;
}

Status BlobJournal::CheckInPlace() { return sender_.trouble(); }

Result<std::string> BlobJournal::ReadBack(uint64_t size) {
  std::string bytes(size, '\0');
  for (uint64_t done = 0; done < size;) {
    const ssize_t got =
        copy_fd_ < 0 ? 0 : ::pread(copy_fd_, bytes.data() + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      return Status(Code::kUnavailable,
                    "this machine could not keep a copy of the journal in \"" + copy_ + "\": free space there");
    }
    done += static_cast<uint64_t>(got);
  }
  return bytes;
}

// Before the first batch goes the head says that none is needed: some of them are no journal. It does if it names the
// checkpoint that has it all.
Status BlobJournal::Remove() {
  removed_ = true;
  const bool stored = hold_->leftover();  // false where the checkpoint was saved and the journal ended in one
  hold_->set_leftover(false);
  if (sender_.added() == 0 || !stored) return Status::Ok();
  if (BlobTransactions* database = bucket_->transactions()) {
    return database->Commit({BlobChange::DeleteBelow(hold_->places().runs + run_ + "/")}).status();
  }
  if (hold_->head().commits.empty()) {
    const Status noted = hold_->Update([](RunHead* head) { head->state = RunHead::State::kSaved; });
    if (!noted.ok()) return noted;
  }
  std::vector<std::string> keys;
  for (uint64_t number = 1; number <= sender_.added(); ++number) keys.push_back(hold_->places().BatchKey(run_, number));
  return bucket_->DeleteMany(keys);
}

}  // namespace kingpost
