// SPDX-License-Identifier: Apache-2.0
// BlobJournal: the journal of a stack in a bucket. What is written between two syncs becomes one object, a batch; all
// batches one after the other are, byte for byte, a journal file. A batch is never overwritten, and never torn.
// Several are on their way at a time; a record counts once its batch and all before it are stored. So no record
// behind a missing batch was ever acknowledged.
//
// All of it is written to a file on this machine as well, unsynced. It remains if the store stays out of reach, or if
// another process takes the stack away. What could not be sent is sent again with the next sync, in order.
#pragma once

#include <memory>
#include <string>

#include "kingpost/shared_journals.h"
#include "remote/blob/blob_bucket.h"
#include "store/batch_sender.h"
#include "store/blob_hold.h"

namespace kingpost {

class BlobJournal : public JournalFile {
 public:
  // copy: the file on this machine; "" for none.
  BlobJournal(std::shared_ptr<BlobBucket> bucket, std::shared_ptr<BlobHold> hold, std::string copy);
  ~BlobJournal() override;

  Status Write(uint64_t offset, std::string_view bytes) override;
  Status Sync() override;
  void SyncAsync(std::function<void(const Status&)> synced) override;
  // The share of the time of a request that counts as little.
  std::chrono::microseconds group_commit_delay() override { return sender_.round_trip() / 8; }
  Status Reserve(uint64_t) override { return Status::Ok(); }
  Status CheckInPlace() override;
  Result<std::string> ReadBack(uint64_t size) override;
  Status Remove() override;
  bool EndsWithSave() const override { return bucket_->transactions() != nullptr; }

 private:
  Status Send(uint64_t number, const std::string& bytes);
  void CopyLocally(uint64_t offset, std::string_view bytes);

  const std::shared_ptr<BlobBucket> bucket_;
  const std::shared_ptr<BlobHold> hold_;
  const std::string run_;
  const std::string copy_;
  int copy_fd_ = -1;
  bool headed_ = false;    // the header was synced: it goes with the first batch
  std::string collected_;  // since the last sync
  bool removed_ = false;
  BatchSender sender_;  // ends before all that it uses
};

}  // namespace kingpost
