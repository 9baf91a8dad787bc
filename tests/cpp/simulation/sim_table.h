// SPDX-License-Identifier: Apache-2.0
// SimTable: a bucket in memory by the rules of a table in PostgreSQL. Several changes take place together or not at
// all, and a life sign visibly ends when its owner dies.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "remote/blob/blob_transactions.h"
#include "remote/blob/memory_bucket.h"

namespace kingpost::simulation {

class SimTable : public MemoryBucket, private BlobTransactions {
 public:
  using MemoryBucket::MemoryBucket;
  BlobTransactions* transactions() override { return this; }

 private:
  class Sign;

  Result<std::vector<std::string>> Commit(const std::vector<BlobChange>& changes) override;
  Status PutGuarded(const std::string& guard, const std::string& key, std::string_view bytes) override;
  Result<std::unique_ptr<LivenessLock>> HoldLiveness(const std::string& name) override;
  Result<bool> IsLive(const std::string& name) override;
  bool Holds(const BlobChange& change);
  bool Matches(const std::string& key, const PutCondition& condition);

  std::mutex one_at_a_time_;
  std::shared_ptr<std::multiset<std::string>> alive_ = std::make_shared<std::multiset<std::string>>();
};

}  // namespace kingpost::simulation
