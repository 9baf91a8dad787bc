// SPDX-License-Identifier: Apache-2.0
// See blob_store.h. The documents themselves; history and what else there is of a stack are in blob_store_history.cc,
// locks and journals in blob_journals.cc.
#include "store/blob_store.h"

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/digest.h"
#include "remote/blob/run_parallel.h"

namespace kingpost {

namespace {

constexpr const char* kVariants[] = {"", ".gz", ".zst"};

// The last one of those with equal times; S3 has whole seconds.
size_t NewestOf(const std::vector<std::optional<Blob>>& blobs) {
  size_t newest = blobs.size();
  for (size_t i = 0; i < blobs.size(); ++i) {
    if (!blobs[i]) continue;
    if (newest == blobs.size() || blobs[i]->modified_ms >= blobs[newest]->modified_ms) newest = i;
  }
  return newest;
}

}  // namespace

BlobStore::BlobStore(std::shared_ptr<BlobBucket> bucket, std::string url, FileStoreOptions options)
    : bucket_(std::move(bucket)), url_(std::move(url)), options_(std::move(options)) {}

BlobStore::~BlobStore() = default;

std::unique_ptr<BlobStore> BlobStore::InLayout(bool legacy) const {
  auto store = std::make_unique<BlobStore>(bucket_, url_, options_);
  store->layout_ = StoreLayout::Of("", legacy);
  return store;
}

Result<std::unique_ptr<StateStore>> OpenBlobStore(std::shared_ptr<BlobBucket> bucket, const std::string& url) {
  Result<FileStoreOptions> options = FileStoreOptionsFromEnvironment();
  if (!options.ok()) return options.status();
  return std::unique_ptr<StateStore>(std::make_unique<BlobStore>(std::move(bucket), url, *std::move(options)));
}

Status BlobStore::Ready() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (layout_) return layout_->status();
  const std::string key = Key(StoreLayout::Of("", false).MetaFile());
  Result<std::optional<Blob>> meta = bucket_->Get(key);
  if (!meta.ok()) return meta.status();  // may be another time
  std::optional<std::string> text;
  if (*meta) text = (*meta)->bytes;
  layout_ = StoreLayout::Read("", LocationOf(*bucket_, key), text, [&]() -> Result<bool> {
    const std::string stacks = Key(StoreLayout::Of("", true).StacksFolder()) + "/";
    const Result<std::vector<BlobInfo>> listed = bucket_->List(stacks, /*one_level=*/true);
    if (!listed.ok()) return listed.status();
    return std::any_of(listed->begin(), listed->end(),
                       [&](const BlobInfo& info) { return !StackOfFile(info.key.substr(stacks.size())).empty(); });
  });
  return layout_->status();
}

Status BlobStore::Ready(const StackName& stack) {
  const Status ready = Ready();
  return ready.ok() ? CheckName(**layout_, stack) : ready;
}

Status BlobStore::EnsureMeta() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (meta_written_ || (*layout_)->legacy() || !(*layout_)->meta_missing()) return Status::Ok();
  }
  Status written = Write(Key((*layout_)->MetaFile()), MetaText(false), PutCondition::IfAbsent()).status();
  // By another process, or by our own earlier request; services without conditions get none.
  if (written.code() == Code::kFailedPrecondition) written = Status::Ok();
  if (written.code() == Code::kUnimplemented) written = WriteMeta();
  const std::lock_guard<std::mutex> lock(mutex_);
  meta_written_ = written.ok();
  return written;
}

Status BlobStore::WriteMeta() { return Write(Key((*layout_)->MetaFile()), MetaText((*layout_)->legacy())).status(); }

std::string BlobStore::QualifiedName(const StackName& stack) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return layout_ && layout_->ok() ? (*layout_)->QualifiedName(stack) : stack.str();
}

Result<std::string> BlobStore::Write(const std::string& key, std::string_view bytes, const PutCondition& condition) {
  return bucket_->Put(key, bytes, condition, std::string(ContentTypeOf(bytes)));
}

Result<BlobStore::Current> BlobStore::FindCurrent(const StackName& stack) {
  std::vector<std::string> keys;
  for (const char* variant : kVariants) keys.push_back(Key((*layout_)->StackFile(stack)) + variant);
  Result<std::vector<std::optional<Blob>>> blobs = bucket_->GetMany(keys);
  if (!blobs.ok()) return blobs.status();
  Current current;
  current.key = keys[0];
  const size_t newest = NewestOf(*blobs);
  if (newest < keys.size()) {
    current = {true, keys[newest], (*blobs)[newest]->tag, std::move((*blobs)[newest]->bytes)};
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i != newest && (*blobs)[i]) current.older.emplace_back(keys[i], (*blobs)[i]->tag);
  }
  Note(stack, current);
  return current;
}

Result<BlobStore::Current> BlobStore::CurrentOf(const StackName& stack) {
  if (std::optional<Current> known = KnownCurrent(stack)) return *std::move(known);
  return FindCurrent(stack);
}

std::optional<BlobStore::Current> BlobStore::KnownCurrent(const StackName& stack) const {
  if (!IsHeld(stack)) return std::nullopt;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = current_.find(stack.str());
  return found == current_.end() ? std::nullopt : std::make_optional(found->second);
}

// Without its bytes, which nobody asks for twice.
void BlobStore::Note(const StackName& stack, const Current& current) {
  if (!IsHeld(stack)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  current_[stack.str()] = {current.exists, current.key, current.tag, "", current.older};
}

Result<StackDocument> BlobStore::Load(const StackName& stack) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  Result<Current> current = FindCurrent(stack);
  if (!current.ok()) return current.status();
  StackDocument document;
  document.location = LocationOf(*bucket_, current->key);
  if (!current->exists) return document;
  Result<std::string> plain = Decompress(std::move(current->bytes), document.location);
  if (!plain.ok()) return plain.status();
  document.bytes = std::move(*plain);
  document.exists = true;
  return document;
}

// Which of its variants each stack has, and which of them is the newest, one listing tells for all.
Result<std::vector<std::string>> BlobStore::NewestKeys(const std::vector<StackName>& stacks) {
  const Result<std::vector<BlobInfo>> listed =
      bucket_->List(Key((*layout_)->StacksFolder()) + "/", /*one_level=*/(*layout_)->legacy());
  if (!listed.ok()) return listed.status();
  std::map<std::string, int64_t> modified_ms;
  for (const BlobInfo& info : *listed) modified_ms[info.key] = info.modified_ms;
  std::vector<std::string> keys;
  for (const StackName& stack : stacks) {
    std::string& newest = keys.emplace_back();
    int64_t newest_ms = 0;
    for (const char* variant : kVariants) {
      const auto found = modified_ms.find(Key((*layout_)->StackFile(stack)) + variant);
      if (found == modified_ms.end() || (!newest.empty() && found->second < newest_ms)) continue;
      newest = found->first;
      newest_ms = found->second;
    }
  }
  return keys;
}

Result<std::vector<StackDocument>> BlobStore::LoadMany(const std::vector<StackName>& stacks) {
  if (const Status ready = Ready(); !ready.ok()) return ready;
  const Result<std::vector<std::string>> keys = NewestKeys(stacks);
  if (!keys.ok()) return keys.status();
  std::vector<std::string> wanted;
  std::copy_if(keys->begin(), keys->end(), std::back_inserter(wanted), [](const std::string& k) { return !k.empty(); });
  Result<std::vector<std::optional<Blob>>> blobs = bucket_->GetMany(wanted);
  if (!blobs.ok()) return blobs.status();
  std::vector<StackDocument> documents(stacks.size());
  auto blob = blobs->begin();
  for (size_t i = 0; i < stacks.size(); ++i) {
    const bool listed = !(*keys)[i].empty();
    documents[i].location = LocationOf(*bucket_, listed ? (*keys)[i] : Key((*layout_)->StackFile(stacks[i])));
    std::optional<Blob> stored = listed ? std::move(*blob++) : std::nullopt;
    if (!stored) continue;  // or removed just now
    Result<std::string> plain = Decompress(std::move(stored->bytes), documents[i].location);
    if (!plain.ok()) return plain.status();
    documents[i].bytes = std::move(*plain);
    documents[i].exists = true;
  }
  return documents;
}

Status BlobStore::Save(const StackName& stack, std::string_view bytes) {
  Status ready = Ready(stack);
  if (ready.ok()) ready = EnsureMeta();
  if (ready.ok()) ready = CheckNothingLeft(stack);
  if (!ready.ok()) return ready;
  const Result<Current> former = CurrentOf(stack);
  if (!former.ok()) return former.status();
  const std::shared_ptr<BlobHold> hold = HoldOf(stack);
  const Compression form = CompressionFor(*former, hold.get());
  const Result<std::string> packed = form == Compression::kNone ? std::string(bytes) : Compress(form, bytes);
  if (!packed.ok()) return packed.status();
  const std::string target = Key((*layout_)->StackFile(stack)).append(ExtensionOf(form));
  BlobTransactions* database = bucket_->transactions();
  Current saved{true, target, "", ""};
  Status status = database && hold
                      ? SaveInTransaction(*database, stack, *former, target, *packed, Sha256Hex(bytes), &saved)
                      : SaveInSteps(stack, *former, target, *packed, hold.get(), &saved);
  if (status.code() == Code::kFailedPrecondition) {
    return {Code::kFailedPrecondition,
            LocationOf(*bucket_, target) +
                " was modified by a process that ignored the lock, so this operation did not "
                "overwrite it"};
  }
  if (!status.ok()) {
    if (hold) hold->NoteDoubt(status);
    return status;
  }
  if (hold) hold->set_saved();
  Note(stack, saved);
  if (!options_.retain_checkpoints) return Status::Ok();
  return bucket_->Copy(target, target + "." + std::to_string(NowUnixNano()));
}

// Only over what was there when the stack was taken.
Status BlobStore::SaveInSteps(const StackName& stack, const Current& former, const std::string& target,
                              const std::string& bytes, BlobHold* hold, Current* saved) {
  const bool minded = hold && honored_conditions_ && honored_conditions_->puts;
  if (minded && former.exists && former.key != target && hold->head().moved_to != target) {
    const Status noted = hold->Update([&](RunHead* head) { head->moved_to = target; });
    if (!noted.ok()) return noted;
  }
  const PutCondition condition = minded ? Replacing(former, target) : PutCondition::Always();
  // A backup that cannot be made keeps nobody from saving, as in the reference.
  if (former.exists) (void)bucket_->Copy(former.key, former.key + ".bak");
  const Result<std::string> put = Write(target, bytes, condition);
  if (!put.ok()) return put.status();
  saved->tag = *put;
  if (!former.exists) return minded ? KeepIfOwned(stack, *saved, hold) : Status::Ok();
  if (former.key == target) return Status::Ok();
  return hold ? DeleteVersion(former.key, former.tag) : bucket_->Delete(former.key);
}

// A new document has no version that a new owner of the stack would have changed, and that owner may create another
// variant. But an owner removes our lock before it looks for documents: if the lock is still there, the next owner
// finds this one. Else it goes if there is another variant, which it would hide; if there is none, the new owner may
// work on it.
Status BlobStore::KeepIfOwned(const StackName& stack, const Current& created, BlobHold* hold) {
  const Status ours = hold->Confirm();
  if (ours.code() != Code::kAborted || !honored_conditions_->deletes) return ours;
  const Result<Current> there = FindCurrent(stack);
  const bool alone = !there.ok() || (there->key == created.key && there->older.empty());
  if (!alone) (void)bucket_->DeleteIf(created.key, created.tag);
  return ours;
}

PutCondition BlobStore::Replacing(const Current& former, const std::string& target) {
  if (former.exists && former.key == target) return PutCondition::IfTag(former.tag);
  for (const auto& [key, tag] : former.older) {
    if (key == target) return PutCondition::IfTag(tag);
  }
  return PutCondition::IfAbsent();
}

Result<bool> BlobStore::Exists(const StackName& stack) {
  if (const Status ready = Ready(stack); !ready.ok()) return ready;
  if (const std::optional<Current> known = KnownCurrent(stack)) return known->exists;
  const std::string key = Key((*layout_)->StackFile(stack));
  const Result<std::vector<BlobInfo>> listed = bucket_->List(key, /*one_level=*/true);
  if (!listed.ok()) return listed.status();
  return std::any_of(listed->begin(), listed->end(), [&](const BlobInfo& info) {
    return info.key == key || info.key == key + ".gz" || info.key == key + ".zst";
  });
}

// Two requests, however many there are.
Result<std::vector<StackEntry>> BlobStore::List() {
  if (const Status ready = Ready(); !ready.ok()) return ready;
  const bool legacy = (*layout_)->legacy();
  const std::string stacks = Key((*layout_)->StacksFolder()) + "/", locks = ".pulumi/locks/";
  Result<std::vector<BlobInfo>> documents{std::vector<BlobInfo>()}, held{std::vector<BlobInfo>()};
  const Status listed = RunParallel(2, [&](size_t i) {
    if (i == 0) return (documents = bucket_->List(stacks, legacy)).status();
    return (held = bucket_->List(locks, /*one_level=*/false)).status();
  });
  if (!listed.ok()) return listed;
  std::set<std::string> locked;  // folders
  for (const BlobInfo& info : *held) locked.insert(info.key.substr(0, info.key.rfind('/') + 1));
  std::map<std::pair<std::string, std::string>, StackEntry> entries;  // variants of one stack count once
  for (const BlobInfo& info : *documents) {
    const std::string path = info.key.substr(stacks.size());
    const size_t slash = path.find('/');
    if (legacy ? slash != std::string::npos : slash == std::string::npos || path.find('/', slash + 1) != path.npos) {
      continue;
    }
    const std::string project = legacy ? "" : path.substr(0, slash);
    const std::string name = StackOfFile(legacy ? path : path.substr(slash + 1));
    if (name.empty() || (!legacy && !ValidateProjectName(project).ok())) continue;
    StackEntry& entry = entries[{project, name}];
    entry.stack = StackName{kDiyOrganization, project, name};
    entry.modified_ms = std::max(entry.modified_ms, info.modified_ms);
    entry.locked = locked.count(PlacesOf(entry.stack).locks) > 0;
  }
  std::vector<StackEntry> sorted;
  for (auto& [key, entry] : entries) sorted.push_back(std::move(entry));
  return sorted;
}

}  // namespace kingpost
