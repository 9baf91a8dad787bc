// SPDX-License-Identifier: Apache-2.0
// Checks that buckets keep their contract, and that a faulty one fails as the test says.
#include <catch2/catch.hpp>

#include "remote/blob/faulty_bucket.h"
#include "remote/blob/memory_bucket.h"
#include "remote/blob/run_parallel.h"
#include "support/bucket_contract.h"

namespace kingpost::bucket_test {

TEST_CASE("a bucket in memory keeps the contract of buckets", "[blob]") {
  MemoryBucket bucket;
  CheckBucketContract(bucket);
}

TEST_CASE("a faulty bucket without faults keeps the contract of buckets", "[blob]") {
  FaultyBucket bucket(std::make_shared<MemoryBucket>());
  CheckBucketContract(bucket);
}

TEST_CASE("a faulty bucket refuses, loses answers and does things twice", "[blob]") {
  FaultyBucket bucket(std::make_shared<MemoryBucket>());
  const auto put = [&](const std::string& bytes) {
    return bucket.Put("k", bytes, PutCondition::IfAbsent(), kPlainText).status().code();
  };
  bucket.Break({BucketFaults::Kind::kRefused, 1});
  CHECK(put("a") == Code::kUnavailable);
  CHECK_FALSE(*bucket.Get("k"));
  bucket.Break({BucketFaults::Kind::kTwice, 1});
  CHECK(put("a") == Code::kOk);
  CHECK(put("b") == Code::kFailedPrecondition);
  REQUIRE(bucket.Delete("k").ok());
  bucket.Break({BucketFaults::Kind::kLostAnswer, 1});
  CHECK(put("c") == Code::kUnavailable);
  CHECK((*bucket.Get("k"))->bytes == "c");
  bucket.Break({BucketFaults::Kind::kRefused, 2, /*after=*/true});
  CHECK(bucket.Get("k").ok());
  CHECK_FALSE(bucket.Get("k").ok());
  CHECK_FALSE(bucket.List("", false).ok());
}

TEST_CASE("all work runs side by side, and its first failure is reported", "[blob]") {
  std::vector<int> done(100);
  const Status status = RunParallel(done.size(), [&](size_t i) {
    ++done[i];
    return i % 10 == 7 ? Status(Code::kUnavailable, std::to_string(i)) : Status::Ok();
  });
  CHECK(status.message() == "7");
  CHECK(done == std::vector<int>(100, 1));
  CHECK(RunParallel(0, [](size_t) { return Status(Code::kInternal, ""); }).ok());
}

}  // namespace kingpost::bucket_test
