// SPDX-License-Identifier: Apache-2.0
// Checks the contract of buckets (remote/blob/blob_bucket.h) with a real service. KINGPOST_TEST_BUCKET names an empty
// place in one; tests/py/test_buckets.py sets it. Without it these tests do not run.
#include "support/bucket_contract.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>

#include "remote/cloud/open_bucket.h"

namespace kingpost::bucket_contract_test {

std::shared_ptr<BlobBucket> OpenNamed() {
  const char* url = std::getenv("KINGPOST_TEST_BUCKET");
  REQUIRE(url != nullptr);
  Result<std::shared_ptr<BlobBucket>> bucket = OpenCloudBucket(url);
  INFO(bucket.status().message());
  REQUIRE(bucket.ok());
  return *bucket;
}

std::string Put(BlobBucket& bucket, const std::string& key, std::string_view bytes,
                const PutCondition& condition = PutCondition::Always()) {
  const Result<std::string> tag = bucket.Put(key, bytes, condition, kPlainText);
  INFO(tag.status().message());
  REQUIRE(tag.ok());
  CHECK_FALSE(tag.value().empty());
  return tag.value();
}

std::optional<Blob> Get(BlobBucket& bucket, const std::string& key) {
  Result<std::optional<Blob>> blob = bucket.Get(key);
  INFO(blob.status().message());
  REQUIRE(blob.ok());
  return *blob;
}

TEST_CASE("a real bucket keeps the contract of buckets", "[.][bucket-contract]") {
  const auto bucket = OpenNamed();
  CheckBucketContract(*bucket);
}

// A proxy may repeat a request that got no answer.
TEST_CASE("a repeated put succeeds", "[.][bucket-contract]") {
  const auto bucket = OpenNamed();
  const std::string first = Put(*bucket, "twice/a", "one", PutCondition::IfAbsent());
  CHECK(Put(*bucket, "twice/a", "one", PutCondition::IfAbsent()) == first);
  const std::string second = Put(*bucket, "twice/a", "two", PutCondition::IfTag(first));
  CHECK(Put(*bucket, "twice/a", "two", PutCondition::IfTag(first)) == second);
  CHECK(bucket->Put("twice/a", "three", PutCondition::IfTag(first), kPlainText).status().code() ==
        Code::kFailedPrecondition);
}

TEST_CASE("a real bucket has the time in its answers", "[.][bucket-exact]") {
  const auto bucket = OpenNamed();
  Put(*bucket, "time/a", "one");
  const std::optional<Blob> blob = Get(*bucket, "time/a");
  REQUIRE(blob);
  CHECK(blob->server_ms >= blob->modified_ms - 1000);
  CHECK(blob->server_ms < blob->modified_ms + 60'000);
}

TEST_CASE("a real bucket keeps every key apart", "[.][bucket-contract]") {
  const auto bucket = OpenNamed();
  std::vector<std::string> keys = {".pulumi/a+b",   ".pulumi/a b",   ".pulumi/a%20b", ".pulumi/a&b=c", ".pulumi/*~!'()",
                                   ".pulumi/@:,;$", ".pulumi/größe", ".pulumi/a#b",   ".pulumi/[x]"};
  for (const std::string& key : keys) Put(*bucket, "odd/" + key, key);
  for (const std::string& key : keys) {
    INFO(key);
    REQUIRE(Get(*bucket, "odd/" + key));
    CHECK(Get(*bucket, "odd/" + key)->bytes == key);
    CHECK(bucket->Copy("odd/" + key, "odd-copy/" + key).ok());
    CHECK(Get(*bucket, "odd-copy/" + key)->bytes == key);
  }
  std::vector<std::string> listed = KeysBelow(*bucket, "odd/", false);
  for (std::string& key : keys) key = "odd/" + key;
  std::sort(keys.begin(), keys.end());
  CHECK(listed == keys);
}

TEST_CASE("one of eight puts at once wins", "[.][bucket-contract]") {
  const auto bucket = OpenNamed();
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> winners = 0, losers = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        const Result<std::string> tag = bucket->Put("race/" + std::to_string(round), "racer " + std::to_string(i),
                                                    PutCondition::IfAbsent(), kPlainText);
        if (tag.ok()) ++winners;
        if (tag.status().code() == Code::kFailedPrecondition) ++losers;
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(winners == 1);
    CHECK(losers == 7);
  }
}

TEST_CASE("a real bucket lists more than a page", "[.][bucket-contract]") {
  const auto bucket = OpenNamed();
  constexpr int kObjects = 1105;  // pages have a thousand
  std::vector<std::thread> threads;
  for (int worker = 0; worker < 4; ++worker) {
    threads.emplace_back([&, worker] {
      for (int i = worker; i < kObjects; i += 4) {
        if (!bucket->Put("pages/" + std::to_string(10'000 + i), "", PutCondition::Always(), kPlainText).ok()) return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<std::string> keys = KeysBelow(*bucket, "pages/", false);
  CHECK(keys.size() == kObjects);
  CHECK(std::is_sorted(keys.begin(), keys.end()));
}

TEST_CASE("a real bucket takes a large document", "[.][bucket-contract]") {
  const auto bucket = OpenNamed();
  std::string document;
  while (document.size() < 20'000'000) document += std::to_string(document.size()) + "\n";
  Put(*bucket, "large", document);
  const bool same = Get(*bucket, "large")->bytes == document;
  CHECK(same);
}

}  // namespace kingpost::bucket_contract_test
