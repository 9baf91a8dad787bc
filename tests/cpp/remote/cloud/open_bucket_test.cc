// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/open_bucket.h"

#include <catch2/catch.hpp>

namespace kingpost::open_bucket_test {

TEST_CASE("a URL of a bucket that begins with a password is refused without it") {
  for (const char* url : {"s3://key:hush/sh@bucket?region=eu-west-1", "s3://key:hush@bucket", "gs://me:hush@bucket",
                          "azblob://me:hu?sh@container", "s3://hush@bucket"}) {
    const Status refused = OpenCloudBucket(url).status();
    CHECK(refused.code() == Code::kInvalidArgument);
    CHECK(refused.message().find("users and passwords have no place in it") != std::string::npos);
    CHECK(refused.message().find("hush") == std::string::npos);
  }
}

}  // namespace kingpost::open_bucket_test
