// SPDX-License-Identifier: Apache-2.0
// The contract of every bucket, whichever service keeps it.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "remote/blob/blob_bucket.h"

namespace kingpost {

inline constexpr char kPlainText[] = "text/plain; charset=utf-8";

inline std::vector<std::string> KeysBelow(BlobBucket& bucket, const std::string& prefix, bool one_level) {
  const Result<std::vector<BlobInfo>> listed = bucket.List(prefix, one_level);
  REQUIRE(listed.ok());
  std::vector<std::string> keys;
  for (const BlobInfo& info : *listed) keys.push_back(info.key);
  return keys;
}

inline void CheckBytes(BlobBucket& bucket) {
  const std::string all = [] {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    return bytes;
  }();
  CHECK_FALSE(*bucket.Get("c/none"));
  const Result<std::string> put = bucket.Put("c/all", all, PutCondition::Always(), "application/octet-stream");
  REQUIRE(put.ok());
  CHECK_FALSE(put->empty());
  const Result<std::optional<Blob>> got = bucket.Get("c/all");
  REQUIRE(got.ok());
  REQUIRE(*got);
  CHECK((*got)->bytes == all);
  CHECK((*got)->tag == *put);
  CHECK((*got)->modified_ms > 1'500'000'000'000);
  REQUIRE(bucket.Put("c/empty", "", PutCondition::Always(), kPlainText).ok());
  CHECK((*bucket.Get("c/empty"))->bytes.empty());
}

inline void CheckConditions(BlobBucket& bucket) {
  const Result<std::string> first = bucket.Put("d/x", "1", PutCondition::IfAbsent(), kPlainText);
  REQUIRE(first.ok());
  CHECK(bucket.Put("d/x", "2", PutCondition::IfAbsent(), kPlainText).status().code() == Code::kFailedPrecondition);
  const Result<std::string> second = bucket.Put("d/x", "2", PutCondition::IfTag(*first), kPlainText);
  REQUIRE(second.ok());
  CHECK(*second != *first);
  CHECK(bucket.Put("d/x", "3", PutCondition::IfTag(*first), kPlainText).status().code() == Code::kFailedPrecondition);
  CHECK((*bucket.Get("d/x"))->bytes == "2");
  // fake-gcs-server ignores the version in a delete.
  if (std::getenv("KINGPOST_TEST_DELETES_ANY_VERSION") == nullptr) {
    CHECK(bucket.DeleteIf("d/x", *first).code() == Code::kFailedPrecondition);
    REQUIRE(*bucket.Get("d/x"));
    CHECK((*bucket.Get("d/x"))->bytes == "2");
  }
  REQUIRE(bucket.DeleteIf("d/x", *second).message() == "");
  CHECK(bucket.DeleteIf("d/x", *second).message() == "");
  CHECK(bucket.Put("d/x", "4", PutCondition::IfTag(*second), kPlainText).status().code() == Code::kFailedPrecondition);
  CHECK_FALSE(*bucket.Get("d/x"));
}

inline void CheckLists(BlobBucket& bucket) {
  for (const char* key : {"e/a_b/s.json", "e/a_b/s.json.bak", "e/a_b/deep/t.json", "e/a-b/s.json", "e/aXb/s.json"}) {
    REQUIRE(bucket.Put(key, "x", PutCondition::Always(), kPlainText).ok());
  }
  CHECK(KeysBelow(bucket, "e/a_b/", true) == std::vector<std::string>{"e/a_b/s.json", "e/a_b/s.json.bak"});
  CHECK(KeysBelow(bucket, "e/a_b/", false) ==
        std::vector<std::string>{"e/a_b/deep/t.json", "e/a_b/s.json", "e/a_b/s.json.bak"});
  CHECK(KeysBelow(bucket, "e/a_b/s.json.", true) == std::vector<std::string>{"e/a_b/s.json.bak"});
  CHECK(KeysBelow(bucket, "e/none/", false).empty());
  const std::string odd = "e/odd +%25=&?#~'/k.json";
  REQUIRE(bucket.Put(odd, "x", PutCondition::Always(), kPlainText).ok());
  CHECK(KeysBelow(bucket, "e/odd +%25=&?#~'/", true) == std::vector<std::string>{odd});
  REQUIRE(bucket.Copy(odd, odd + ".bak").ok());
  CHECK((*bucket.Get(odd + ".bak"))->bytes == "x");
}

// In an empty bucket.
inline void CheckBucketContract(BlobBucket& bucket) {
  CheckBytes(bucket);
  CheckConditions(bucket);
  CheckLists(bucket);
  CHECK(bucket.Copy("f/none", "f/to").code() == Code::kNotFound);
  CHECK_FALSE(*bucket.Get("f/to"));
  CHECK(bucket.Delete("f/none").ok());
  const auto many = bucket.GetMany({"c/empty", "f/none", "e/a-b/s.json"});
  REQUIRE(many.ok());
  CHECK(((*many)[0] && !(*many)[1] && (*many)[2] && (*many)[2]->bytes == "x"));
  const std::vector<std::string> all = KeysBelow(bucket, "", false);
  REQUIRE(bucket.DeleteMany(all).ok());
  CHECK(KeysBelow(bucket, "", false).empty());
}

}  // namespace kingpost
