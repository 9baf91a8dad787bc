// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/memory_bucket.h"

#include <chrono>

#include "base/digest.h"

namespace kingpost {

int64_t MemoryBucket::NowMs() const {
  if (clock_) return clock_();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count() + ahead_ms_;
}

void MemoryBucket::Store(const std::string& key, std::string_view bytes, const std::string& content_type) {
  std::string tag = tags_by_digest_ ? Sha256Hex(bytes) : "v" + std::to_string(++versions_);
  objects_[key] = {{std::string(bytes), std::move(tag), NowMs(), 0}, content_type};
}

Result<std::optional<Blob>> MemoryBucket::Get(const std::string& key) {
  ++calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = objects_.find(key);
  if (found == objects_.end()) return std::optional<Blob>();
  Blob blob = found->second.blob;
  blob.server_ms = NowMs();
  return std::optional<Blob>(std::move(blob));
}

Result<std::string> MemoryBucket::Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                                      const std::string& content_type) {
  ++calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = objects_.find(key);
  const bool there = found != objects_.end();
  const bool absent_lost = condition.kind == PutCondition::Kind::kIfAbsent && there;
  const bool tag_lost =
      condition.kind == PutCondition::Kind::kIfTag && (!there || found->second.blob.tag != condition.tag);
  if ((absent_lost || tag_lost) && !ignores_conditions_) {
    return Status(Code::kFailedPrecondition, url_ + "/" + key + ": the object has changed since it was read");
  }
  Store(key, bytes, content_type);
  return objects_[key].blob.tag;
}

Status MemoryBucket::Copy(const std::string& from, const std::string& to) {
  ++calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = objects_.find(from);
  if (found == objects_.end()) return {Code::kNotFound, url_ + "/" + from + ": no such object"};
  const Object source = found->second;
  Store(to, source.blob.bytes, source.content_type);
  return Status::Ok();
}

Status MemoryBucket::Delete(const std::string& key) {
  ++calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  objects_.erase(key);
  return Status::Ok();
}

Status MemoryBucket::DeleteIf(const std::string& key, const std::string& tag) {
  ++calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = objects_.find(key);
  if (found == objects_.end()) return Status::Ok();
  if (found->second.blob.tag != tag && !ignores_conditions_) {
    return Status(Code::kFailedPrecondition, url_ + "/" + key + ": the object has changed since it was read");
  }
  objects_.erase(found);
  return Status::Ok();
}

Result<std::vector<BlobInfo>> MemoryBucket::List(const std::string& prefix, bool one_level) {
  ++calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<BlobInfo> found;
  for (auto at = objects_.lower_bound(prefix); at != objects_.end() && at->first.starts_with(prefix); ++at) {
    if (one_level && at->first.find('/', prefix.size()) != std::string::npos) continue;
    const Blob& blob = at->second.blob;
    found.push_back({at->first, static_cast<int64_t>(blob.bytes.size()), blob.modified_ms});
  }
  return found;
}

std::string MemoryBucket::ContentType(const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = objects_.find(key);
  return found == objects_.end() ? "" : found->second.content_type;
}

}  // namespace kingpost
