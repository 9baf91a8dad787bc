// SPDX-License-Identifier: Apache-2.0
// MemoryBucket: objects that end with the process. The oracle of the buckets' contract, and the store of tests. Any
// thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "remote/blob/blob_bucket.h"

namespace kingpost {

class MemoryBucket : public BlobBucket {
 public:
  explicit MemoryBucket(std::string url = "mem://bucket") : url_(std::move(url)) {}

  std::string printable_url() const override { return url_; }
  Result<std::optional<Blob>> Get(const std::string& key) override;
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override;
  Status Copy(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& key) override;
  Status DeleteIf(const std::string& key, const std::string& tag) override;
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override;

  // The bucket's own clock goes on, as if so much time had passed.
  void Advance(int64_t milliseconds) { ahead_ms_ += milliseconds; }
  // Another clock instead, in milliseconds since 1970.
  void UseClock(std::function<int64_t()> now_ms) { clock_ = std::move(now_ms); }
  // As S3 has them: equal bytes have equal tags.
  void TagByDigest() { tags_by_digest_ = true; }
  // As some services do: conditions are not looked at.
  void IgnoreConditions() { ignores_conditions_ = true; }
  std::string ContentType(const std::string& key);
  int64_t calls() const { return calls_; }

 private:
  struct Object {
    Blob blob;
    std::string content_type;
  };
  int64_t NowMs() const;
  void Store(const std::string& key, std::string_view bytes, const std::string& content_type);

  const std::string url_;
  std::mutex mutex_;
  std::map<std::string, Object> objects_;
  int64_t versions_ = 0;
  std::atomic<int64_t> ahead_ms_{0}, calls_{0};
  bool ignores_conditions_ = false, tags_by_digest_ = false;
  std::function<int64_t()> clock_;
};

}  // namespace kingpost
