// SPDX-License-Identifier: Apache-2.0
// FaultyBucket: another bucket, reached over a network that fails when it is told to. For tests; any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "remote/blob/blob_bucket.h"

namespace kingpost {

struct BucketFaults {
  enum class Kind {
    kRefused,     // not done
    kLostAnswer,  // done, and told to have failed
    kTwice,       // done, the answer lost, and tried again as a bucket does by itself
    kDelayed,     // `meanwhile` happens before it is done
  };
  Kind kind = Kind::kRefused;
  int at = 0;          // the Nth call from now (1-based), 0: none
  bool after = false;  // and all later ones
  std::function<void()> meanwhile = nullptr;
};

class FaultyBucket : public BlobBucket {
 public:
  explicit FaultyBucket(std::shared_ptr<BlobBucket> inner) : inner_(std::move(inner)) {}

  void Break(BucketFaults faults);      // counts from now on
  int calls() const { return calls_; }  // since then

  std::string printable_url() const override { return inner_->printable_url(); }
  Result<std::optional<Blob>> Get(const std::string& key) override;
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override;
  Status Copy(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& key) override;
  Status DeleteIf(const std::string& key, const std::string& tag) override;
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override;

 private:
  // Makes the call as the faults want it.
  template <class Answer>
  Answer Call(const std::string& what, const std::function<Answer()>& call, const std::function<Answer()>& again);

  const std::shared_ptr<BlobBucket> inner_;
  BucketFaults faults_;
  std::atomic<int> calls_{0};
};

}  // namespace kingpost
