// SPDX-License-Identifier: Apache-2.0
// BlobStore: stacks as objects in a bucket, in the reference's layout, so that both tools can use them in turn: same
// keys, same bytes, same locks. Beside them lie the journals of operations that run (blob_journals.h).
//
// Blocking; called by worker threads and the command's main thread. The layout is found out by the first call.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kingpost/shared_journals.h"
#include "kingpost/state_store.h"
#include "remote/blob/blob_bucket.h"
#include "store/blob_lock.h"
#include "store/condition_probe.h"
#include "store/file_store.h"
#include "store/layout.h"

namespace kingpost {

class BlobStore : public StateStore, private SharedJournals {
 public:
  // url: as the user wrote it. The fault in the options is for files.
  BlobStore(std::shared_ptr<BlobBucket> bucket, std::string url, FileStoreOptions options);
  ~BlobStore() override;
  // The same bucket read by one layout, whatever the bucket says it has.
  std::unique_ptr<BlobStore> InLayout(bool legacy) const;

  BlobBucket& bucket() { return *bucket_; }
  const StoreLayout& layout() const { return **layout_; }  // after the first call that went well

  std::string url() const override { return url_; }
  std::string printable_url() const override { return bucket_->printable_url(); }
  Status CheckAccess() override { return Ready(); }
  Result<StackDocument> Load(const StackName& stack) override;
  Result<std::vector<StackDocument>> LoadMany(const std::vector<StackName>& stacks) override;
  Status Save(const StackName& stack, std::string_view bytes) override;
  Result<bool> Exists(const StackName& stack) override;
  Result<std::vector<StackEntry>> List() override;
  Status Remove(const StackName& stack, bool remove_backups) override;
  Status Rename(const StackName& from, const StackName& to, std::string_view bytes) override;
  // The same out of another layout of the bucket. A document that is there already under the new name stays: it was
  // written by a move that was broken off.
  Status RenameFrom(BlobStore& source, const StackName& from, const StackName& to, std::string_view bytes);
  // Declares the layout of this object to be the one of the bucket.
  Status WriteMeta();
  Status AppendHistory(const StackName& stack, std::string_view record) override;
  Result<std::vector<std::string>> ReadHistory(const StackName& stack, int page_size, int page) override;
  Status Backup(const StackName& stack) override;
  Status RecordOperation(const StackName& stack, std::string_view record) override;
  Status SaveReasons(const StackName& stack, ReasonsKind of, std::string_view bytes) override;
  Result<std::string> LoadReasons(const StackName& stack, ReasonsKind of) override;
  Result<std::unique_ptr<StackLock>> Lock(const StackName& stack) override;
  Result<std::vector<LockHolder>> Locks(const StackName& stack) override;
  Result<int> BreakLocks(const StackName& stack) override;
  Result<std::map<std::string, std::string>> LoadTags(const StackName& stack) override;
  Status SaveTags(const StackName& stack, const std::map<std::string, std::string>& tags) override;
  Result<std::string> JournalPath(const StackName& stack) override;
  SharedJournals* journals() override { return options_.every_step ? nullptr : this; }
  std::string QualifiedName(const StackName& stack) const override;

 private:
  // The checkpoint's object of now: of .json, .json.gz, .json.zst the one that was written last.
  struct Current {
    bool exists = false;
    std::string key, tag;
    std::string bytes = {};                                       // as stored
    std::vector<std::pair<std::string, std::string>> older = {};  // other variants that are there: key, tag
  };

  Result<std::unique_ptr<JournalFile>> Create(const StackName& stack) override;
  Result<std::optional<LeftoverJournal>> Peek(const StackName& stack) override;
  bool MayHaveLeftover(const StackName& stack) override;
  Result<std::optional<LeftoverJournal>> Take(const StackName& stack) override;
  Status NoteCommit(const StackName& stack, const std::string& checkpoint_hash) override;
  Status Discard(const StackName& stack) override;
  std::string LocalPath(const StackName& stack) const override;

  Status Ready();
  Status Ready(const StackName& stack);  // and the name is one
  Status EnsureMeta();
  // Whether the bucket minds conditions; tried out once in a while.
  Result<bool> Fenced();
  // Takes away that version of an object, and no later one where the bucket can be told so.
  Status DeleteVersion(const std::string& key, const std::string& tag);
  // In which form a checkpoint is saved: a change of it ends with a delete.
  Compression CompressionFor(const Current& former, BlobHold* hold) const;
  HoldKeys PlacesOf(const StackName& stack) const;
  std::shared_ptr<BlobHold> HoldOf(const StackName& stack) const;
  Result<std::unique_ptr<StackLock>> LockPlainly(const StackName& stack);
  bool IsHeld(const StackName& stack) const;  // by this store
  // For the stack that we hold.
  Result<std::shared_ptr<BlobHold>> NeedHold(const StackName& stack) const;

  Result<Current> FindCurrent(const StackName& stack);
  Result<std::vector<std::string>> NewestKeys(const std::vector<StackName>& stacks);  // "" of one that is not there
  Result<Current> CurrentOf(const StackName& stack);  // as it was last seen, where nobody else can have changed it
  std::optional<Current> KnownCurrent(const StackName& stack) const;
  void Note(const StackName& stack, const Current& current);
  Result<std::string> Write(const std::string& key, std::string_view bytes,
                            const PutCondition& condition = PutCondition::Always());
  Status SaveInTransaction(BlobTransactions& database, const StackName& stack, const Current& former,
                           const std::string& target, const std::string& bytes, const std::string& checkpoint_hash,
                           Current* saved);
  Status SaveInSteps(const StackName& stack, const Current& former, const std::string& target, const std::string& bytes,
                     BlobHold* hold, Current* saved);
  Status KeepIfOwned(const StackName& stack, const Current& created, BlobHold* hold);
  Result<PutCondition> ConditionOfTags(const StackName& stack);
  std::optional<std::string> TagsVersion(const StackName& stack) const;
  Result<std::vector<std::pair<int64_t, std::string>>> HistoryKeys(const StackName& stack);
  Result<std::vector<BlobChange>> HistoryChanges(const StackName& stack, std::string_view record);
  Result<std::vector<BlobChange>> BackupChanges(const StackName& stack);
  // All at once, where the bucket can, and then only while the stack is held, if it was.
  Status Apply(const StackName& stack, std::vector<BlobChange> changes);
  Status CheckOwned(const StackName& stack);
  // Tags, history and backups of a stack whose document is gone.
  Status RemoveRest(const StackName& stack, bool remove_backups);
  // For who saves a stack without having asked for what was left of it, as one does that is thought to be new.
  Status CheckNothingLeft(const StackName& stack);
  Status Withdraw(const StackName& stack, const Current& current);
  // Begins a run of our own behind an owner that is gone. A save of that one may still be on its way, and finds another
  // checkpoint than it replaces from here on. The head is written between the look at the checkpoint and the write of
  // it. So a late write of ours replaces no checkpoint that another command began with.
  Status BeginReclaimed(const StackName& stack, BlobHold& hold);
  Result<std::string> ReadRun(const HoldKeys& places, const std::string& run, uint64_t batches);

  // The path that the layout names with a leading slash. What a save to `target` replaces, so that
  // one which is late replaces nothing else.
  static PutCondition Replacing(const Current& former, const std::string& target);
  static std::string Key(const std::string& path) { return path.substr(1); }

  const std::shared_ptr<BlobBucket> bucket_;
  const std::string url_;
  const FileStoreOptions options_;

  mutable std::mutex mutex_;
  std::optional<Result<StoreLayout>> layout_;
  bool meta_written_ = false;
  std::map<std::string, std::weak_ptr<BlobHold>> holds_;  // by stack
  std::map<std::string, std::weak_ptr<void>> plain_holds_;
  std::map<std::string, Current> current_;           // of stacks that are held
  std::map<std::string, std::string> tags_version_;  // as they were last loaded, of each stack; "" of none
  int64_t last_time_ns_ = 0;

  std::mutex probe_mutex_;  // one of many at a time finds out
  std::optional<HonoredConditions> honored_conditions_;
};

// Opens a bucket by its URL: the objects of a PostgreSQL table or of a cloud's bucket, with the options of the
// environment.
Result<std::unique_ptr<StateStore>> OpenBlobStore(std::shared_ptr<BlobBucket> bucket, const std::string& url);

}  // namespace kingpost
