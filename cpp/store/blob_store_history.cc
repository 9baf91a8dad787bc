// SPDX-License-Identifier: Apache-2.0
// BlobStore's documents beside the state: history, reasons, backups, tags; what a new name and a removal do to them.
#include <algorithm>

#include "base/clock.h"
#include "base/json_access.h"
#include "remote/blob/run_parallel.h"
#include "store/blob_store.h"
#include "store/stack_tags.h"

namespace kingpost {

namespace {

std::string FileNameOf(const std::string& key) { return key.substr(key.rfind('/') + 1); }

// What a write finds changed is another process's: one that cancelled, took over, or ignored the lock.
bool IsOfAnotherProcess(const Status& failure) {
  return failure.code() == Code::kAborted || failure.code() == Code::kFailedPrecondition;
}

}  // namespace

// In one, where the bucket can; else all at a time, because none needs another.
Status BlobStore::Apply(const StackName& stack, std::vector<BlobChange> changes) {
  if (changes.empty()) return Status::Ok();
  if (BlobTransactions* database = bucket_->transactions()) {
    if (const std::shared_ptr<BlobHold> hold = HoldOf(stack)) {
      changes.insert(changes.begin(), BlobChange::Require(hold->lock_key()));
    }
    return database->Commit(changes).status();
  }
  return RunParallel(changes.size(), [&](size_t i) {
    const BlobChange& change = changes[i];
    switch (change.kind) {
      case BlobChange::Kind::kPut:
        return Write(change.key, change.bytes, change.condition).status();
      case BlobChange::Kind::kCopy:
        return bucket_->Copy(change.from, change.key);
      default:
        return change.condition.kind == PutCondition::Kind::kIfTag ? DeleteVersion(change.key, change.condition.tag)
                                                                   : bucket_->Delete(change.key);
    }
  });
}

Result<std::vector<BlobChange>> BlobStore::HistoryChanges(const StackName& stack, std::string_view record) {
  const Result<Current> current = CurrentOf(stack);
  if (!current.ok()) return current.status();
  const Result<std::string> packed = Compress(options_.compression, record);
  if (!packed.ok()) return packed.status();
  {
    // A clock that was set back must not sort this record below one that was just written.
    const std::lock_guard<std::mutex> lock(mutex_);
    last_time_ns_ = std::max(NowUnixNano(), last_time_ns_ + 1);
  }
  const std::string folder = Key((*layout_)->HistoryFolder(stack));
  const std::string prefix = folder + "/" + stack.name + "-" + std::to_string(last_time_ns_);
  std::vector<BlobChange> changes;
  changes.push_back(BlobChange::Put((prefix + ".history.json").append(ExtensionOf(options_.compression)), *packed));
  const std::string extension = current->key.substr(Key((*layout_)->StackFile(stack)).size());
  if (current->exists) changes.push_back(BlobChange::Copy(current->key, prefix + ".checkpoint.json" + extension));
  return changes;
}

Result<std::vector<BlobChange>> BlobStore::BackupChanges(const StackName& stack) {
  std::vector<BlobChange> changes;
  if (!options_.backups) return changes;
  const Result<Current> current = CurrentOf(stack);
  if (!current.ok()) return current.status();
  if (!current->exists) return changes;
  const std::string extension = current->key.substr(Key((*layout_)->StackFile(stack)).size());
  changes.push_back(BlobChange::Copy(current->key, Key((*layout_)->BackupFolder(stack)) + "/" + stack.name + "." +
                                                       std::to_string(NowUnixNano()) + ".json" + extension));
  return changes;
}

Status BlobStore::AppendHistory(const StackName& stack, std::string_view record) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  const Result<std::vector<BlobChange>> changes = HistoryChanges(stack, record);
  return changes.ok() ? Apply(stack, *changes) : changes.status();
}

Status BlobStore::Backup(const StackName& stack) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  const Result<std::vector<BlobChange>> changes = BackupChanges(stack);
  return changes.ok() ? Apply(stack, *changes) : changes.status();
}

Status BlobStore::RecordOperation(const StackName& stack, std::string_view record) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  Result<std::vector<BlobChange>> changes = HistoryChanges(stack, record);
  if (!changes.ok()) return changes.status();
  Result<std::vector<BlobChange>> copies = BackupChanges(stack);
  if (!copies.ok()) return copies.status();
  changes->insert(changes->end(), copies->begin(), copies->end());
  return Apply(stack, *changes).Wrap("could not write the history and the backup");
}

// Newest first.
Result<std::vector<std::pair<int64_t, std::string>>> BlobStore::HistoryKeys(const StackName& stack) {
  const Result<std::vector<BlobInfo>> listed = bucket_->List(Key((*layout_)->HistoryFolder(stack)) + "/", true);
  if (!listed.ok()) return listed.status();
  std::vector<std::pair<int64_t, std::string>> keys;
  for (const BlobInfo& info : *listed) {
    if (const std::optional<int64_t> time_ns = HistoryTimeOf(FileNameOf(info.key))) {
      keys.emplace_back(*time_ns, info.key);
    }
  }
  std::sort(keys.rbegin(), keys.rend());
  return keys;
}

Result<std::vector<std::string>> BlobStore::ReadHistory(const StackName& stack, int page_size, int page) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  const auto keys = HistoryKeys(stack);
  if (!keys.ok()) return keys.status();
  size_t begin = 0, end = keys->size();
  if (page_size > 0) {
    begin = std::min(end, static_cast<size_t>(page_size) * static_cast<size_t>(std::max(page, 1) - 1));
    end = std::min(end, begin + static_cast<size_t>(page_size));
  }
  std::vector<std::string> wanted;
  for (size_t i = begin; i < end; ++i) wanted.push_back((*keys)[i].second);
  Result<std::vector<std::optional<Blob>>> blobs = bucket_->GetMany(wanted);
  if (!blobs.ok()) return blobs.status();
  std::vector<std::string> records;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!(*blobs)[i]) continue;  // deleted just now
    const std::string location = LocationOf(*bucket_, wanted[i]);
    Result<std::string> bytes = Decompress(std::move((*blobs)[i]->bytes), location);
    if (!bytes.ok()) return bytes.status();
    if (ParseJson(*bytes).is_discarded()) {
      return Status(Code::kDataLoss, location + ": the history record is not JSON; move the object away to go on");
    }
    records.push_back(std::move(*bytes));
  }
  return records;
}

Status BlobStore::SaveReasons(const StackName& stack, ReasonsKind of, std::string_view bytes) {
  const Status ready = Ready(stack);
  return ready.ok() ? Write(Key((*layout_)->ReasonsFile(stack, of)), bytes).status() : ready;
}

Result<std::string> BlobStore::LoadReasons(const StackName& stack, ReasonsKind of) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  Result<std::optional<Blob>> blob = bucket_->Get(Key((*layout_)->ReasonsFile(stack, of)));
  if (!blob.ok()) return blob.status();
  return *blob ? std::move((*blob)->bytes) : std::string();
}

Result<std::map<std::string, std::string>> BlobStore::LoadTags(const StackName& stack) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  const std::string key = Key((*layout_)->TagsFile(stack));
  const Result<std::optional<Blob>> blob = bucket_->Get(key);
  if (!blob.ok()) return blob.status();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    tags_version_[stack.str()] = *blob ? (*blob)->tag : "";
  }
  if (!*blob) return std::map<std::string, std::string>();
  return DecodeTags(LocationOf(*bucket_, key), (*blob)->bytes);
}

Status BlobStore::SaveTags(const StackName& stack, const std::map<std::string, std::string>& tags) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  const std::string key = Key((*layout_)->TagsFile(stack));
  const Result<PutCondition> minds = ConditionOfTags(stack);
  if (!minds.ok()) return minds.status();
  if (const Status ours = CheckOwned(stack); !ours.ok()) return ours;
  const PutCondition& condition = *minds;
  const BlobChange change =
      tags.empty() ? BlobChange::Delete(key, condition) : BlobChange::Put(key, EncodeTags(tags), condition);
  if (tags.empty() && condition.kind == PutCondition::Kind::kIfAbsent) return Status::Ok();
  const Status saved = Apply(stack, {change});
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    tags_version_.erase(stack.str());
  }
  if (saved.code() != Code::kFailedPrecondition) return saved;
  return {Code::kFailedPrecondition,
          LocationOf(*bucket_, key) +
              " was changed by another process meanwhile, and is left as it is; run the command again"};
}

// Asked between what is read and what is written over it: what was read was not an heir's.
Status BlobStore::CheckOwned(const StackName& stack) {
  const std::shared_ptr<BlobHold> hold = HoldOf(stack);
  return hold ? hold->Confirm() : Status::Ok();
}

// Over those that were read.
Result<PutCondition> BlobStore::ConditionOfTags(const StackName& stack) {
  if (!HoldOf(stack) || !honored_conditions_ || !honored_conditions_->puts) return PutCondition::Always();
  std::optional<std::string> version = TagsVersion(stack);
  if (!version) {
    if (const Status read = LoadTags(stack).status(); !read.ok()) return read;
    version = TagsVersion(stack);
  }
  return version->empty() ? PutCondition::IfAbsent() : PutCondition::IfTag(*version);
}

std::optional<std::string> BlobStore::TagsVersion(const StackName& stack) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto read = tags_version_.find(stack.str());
  return read == tags_version_.end() ? std::nullopt : std::make_optional(read->second);
}

Status BlobStore::Rename(const StackName& from, const StackName& to, std::string_view bytes) {
  const Result<bool> taken = Exists(to);
  if (!taken.ok()) return taken.status();
  if (*taken) return {Code::kAlreadyExists, "a stack named " + to.name + " already exists"};
  return RenameFrom(*this, from, to, bytes);
}

// The document makes the stack exist, so it comes last: a command that is killed before can begin anew.
Status BlobStore::RenameFrom(BlobStore& source, const StackName& from, const StackName& to, std::string_view bytes) {
  Status ready = source.Ready(from);
  if (ready.ok()) ready = Ready(to);
  if (!ready.ok()) return ready;
  const std::string old_folder = Key((*source.layout_)->HistoryFolder(from)) + "/";
  const std::string new_folder = Key((*layout_)->HistoryFolder(to)) + "/";
  const Result<std::vector<BlobInfo>> history = bucket_->List(old_folder, true);
  if (!history.ok()) return history.status();
  std::vector<BlobChange> copies;
  for (const BlobInfo& info : *history) {
    const std::string name = info.key.substr(old_folder.size());
    const size_t dash = name.rfind('-');
    if (dash == std::string::npos || name.substr(0, dash) != from.name) continue;
    copies.push_back(BlobChange::Copy(info.key, new_folder + to.name + name.substr(dash)));
  }
  const Result<std::map<std::string, std::string>> tags = source.LoadTags(from);
  if (!tags.ok()) return tags.status();
  if (!tags->empty()) {
    if (Status saved = SaveTags(to, *tags); !saved.ok()) return saved;
  }
  if (Status copied = Apply(to, copies); !copied.ok()) return copied;
  const Result<Current> there = CurrentOf(to);
  if (!there.ok()) return there.status();
  if (!there->exists) {
    if (Status saved = Save(to, bytes); !saved.ok()) return saved;
  }
  // What exists there by now may be another command's, if that took the new name meanwhile.
  if (const Status ours = CheckOwned(to); !ours.ok()) return ours;
  const Status removed = source.Remove(from, /*remove_backups=*/false);
  // It stays: remaining files under the old name must not exist under the new one as well.
  if (IsOfAnotherProcess(removed) && !there->exists) (void)Remove(to, /*remove_backups=*/true);
  return removed;
}

// Those versions, and no later ones.
Status BlobStore::Withdraw(const StackName& stack, const Current& current) {
  const std::shared_ptr<BlobHold> hold = HoldOf(stack);
  std::vector<std::pair<std::string, std::string>> variants = current.older;
  if (current.exists) variants.emplace_back(current.key, current.tag);
  std::vector<BlobChange> changes;
  for (const auto& [key, tag] : variants) {
    changes.push_back(BlobChange::Delete(key, hold ? PutCondition::IfTag(tag) : PutCondition::Always()));
  }
  const Status removed = Apply(stack, changes);
  if (removed.ok() && hold) hold->set_removed(honored_conditions_ && honored_conditions_->deletes);
  if (!removed.ok() && hold) hold->NoteDoubt(removed);
  if (removed.code() != Code::kFailedPrecondition) return removed;
  return {removed.code(), LocationOf(*bucket_, current.key) +
                              " was modified by a process that ignored the lock, so it was not removed"};
}

// The document that makes the stack exist goes first: a remaining variant would bring the stack back.
Status BlobStore::Remove(const StackName& stack, bool remove_backups) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  const Result<Current> current = FindCurrent(stack);
  if (!current.ok()) return current.status();
  if (const Status ours = CheckOwned(stack); !ours.ok()) return ours;
  if (current->exists && !remove_backups) {
    if (Status kept = bucket_->Copy(current->key, current->key + ".bak"); !kept.ok()) return kept;
  }
  const std::string file = Key((*layout_)->StackFile(stack));
  if (Status removed = Withdraw(stack, *current); !removed.ok()) return removed;
  Note(stack, {false, file, "", {}, {}});
  const Status rest = RemoveRest(stack, remove_backups);
  // The stack is gone. A later cancel does not bring it back, and remaining objects, also tags that changed meanwhile,
  // may be the beginning of a new one. For a rename such a failure means that the stack stays.
  return IsOfAnotherProcess(rest) ? Status::Ok() : rest;
}

Status BlobStore::RemoveRest(const StackName& stack, bool remove_backups) {
  const std::string file = Key((*layout_)->StackFile(stack));
  if (Result<std::map<std::string, std::string>> tags = LoadTags(stack); tags.ok() && !tags->empty()) {
    if (Status removed = SaveTags(stack, {}); !removed.ok()) return removed;
  }
  std::vector<std::string> keys;
  std::vector<std::string> folders = {Key((*layout_)->HistoryFolder(stack)) + "/"};
  if (remove_backups) {
    for (const char* variant : {"", ".gz", ".zst"}) keys.push_back(file + variant + ".bak");
    folders.push_back(Key((*layout_)->BackupFolder(stack)) + "/");
  }
  for (const std::string& folder : folders) {
    const Result<std::vector<BlobInfo>> listed = bucket_->List(folder, /*one_level=*/true);
    if (!listed.ok()) return listed.status();
    for (const BlobInfo& info : *listed) keys.push_back(info.key);
  }
  const Status ours = CheckOwned(stack);
  return ours.ok() ? bucket_->DeleteMany(keys) : ours;
}

}  // namespace kingpost
