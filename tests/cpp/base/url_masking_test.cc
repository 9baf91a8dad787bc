// SPDX-License-Identifier: Apache-2.0
#include "base/url_masking.h"

#include <catch2/catch.hpp>

namespace kingpost::url_masking_test {

TEST_CASE("users, passwords and queries of URLs are not shown, wherever in a text they stand") {
  CHECK(MaskUrls("postgres://deployer:hush@127.0.0.1:1/db") == "postgres://****:****@127.0.0.1:1/db");
  CHECK(MaskUrls(".*=https://u:hush@h") == ".*=https://****:****@h");
  CHECK(MaskUrls("at https://hush@h/x and \"https://u:hush@i/y\".") ==
        "at https://****:****@h/x and \"https://****:****@i/y\".");
  CHECK(MaskUrls("azblob://team?sv=1&sig=hush") == "azblob://team?****");
}

TEST_CASE("a password may hold what ends a host") {
  CHECK(MaskUrls("postgres://u:a/hush@h/db") == "postgres://****:****@h/db");
  CHECK(MaskUrls("https://u:a?hush@h/db") == "https://****:****@h/db");
  CHECK(MaskUrls("https://u:a#hush@h") == "https://****:****@h");
  CHECK(MaskUrls("https://u:a@hush@h") == "https://****:****@h");
  CHECK(MaskUrls("postgres://u:12/34@h/db") == "postgres://****:****@h/db");
}

TEST_CASE("what holds no secret stays") {
  for (const char* text :
       {"", "plain", "https://h", "https://h/x@v1", "s3://bucket/folder", "a@b", "file:///tmp/a b"}) {
    CHECK(MaskUrls(text) == text);
  }
}

}  // namespace kingpost::url_masking_test
