// SPDX-License-Identifier: Apache-2.0
#include "base/url_masking.h"

#include <catch2/catch.hpp>
#include <vector>

namespace kingpost::url_masking_test {

TEST_CASE("users, passwords and queries of URLs are not shown, wherever in a text they stand") {
  CHECK(MaskUrls("postgres://deployer:hush@127.0.0.1:1/db") == "postgres://****:****@127.0.0.1:1/db");
  CHECK(MaskUrls(".*=https://u:hush@h") == ".*=https://****:****@h");
  CHECK(MaskUrls("at https://hush@h/x and \"https://u:hush@i/y\".") ==
        "at https://****:****@h/x and \"https://****:****@i/y\".");
  CHECK(MaskUrls("azblob://team?sv=1&sig=hush") == "azblob://team?sv=****&sig=****");
  CHECK(MaskUrls("https://h/x?hush") == "https://h/x?****");
  CHECK(MaskUrls("https://h/x#access_token=hush&region=r") == "https://h/x#access_token=****&region=r");
  CHECK(MaskUrls("http://u:hush@proxy:3128, https://u:hush@other") ==
        "http://****:****@proxy:3128, https://****:****@other");
}

TEST_CASE("a password may contain the characters that end a host") {
  CHECK(MaskUrls("postgres://u:a/hush@h/db") == "postgres://****:****@h/db");
  CHECK(MaskUrls("https://u:a?hush@h/db") == "https://****:****@h/db");
  CHECK(MaskUrls("https://u:a#hush@h") == "https://****:****@h");
  CHECK(MaskUrls("https://u:a@hush@h") == "https://****:****@h");
  CHECK(MaskUrls("postgres://u:12/34@h/db") == "postgres://****:****@h/db");
  CHECK(MaskUrls("https://u:a hush@h/db is down") == "https://****:****@h/db is down");
  CHECK(MaskUrls("postgres://u:a\"hush@h/db") == "postgres://****:****@h/db");
}

TEST_CASE("the printed URL of a backend keeps its parts that are not secret") {
  struct Row {
    std::string url, shown;
  };
  for (const Row& row :
       std::vector<Row>{{"s3://key:hush@team/a@b", "s3://****:****@team/a@b"},
                        {"s3://team?endpoint=http://u:hush@minio:9000&region=eu",
                         "s3://team?endpoint=http://****:****@minio:9000&region=eu"},
                        {"s3://team?endpoint=u:hush@minio:9000", "s3://team?endpoint=****:****@minio:9000"},
                        {"s3://team?region=eu-west-1&awsToken=hush", "s3://team?region=eu-west-1&awsToken=****"},
                        {"postgres://me:hush@host/db", "postgres://****:****@host/db"},
                        {"postgres://me:hu/sh@host/db", "postgres://****:****@host/db"},
                        {"postgres://me:hu@/sh@host/db", "postgres://****:****@host/db"},
                        {"postgres://host/db?password=hush&table=t", "postgres://host/db?password=****&table=t"},
                        {"postgres://host/db?table=t&sslpassword=hush", "postgres://host/db?table=t&sslpassword=****"},
                        {"postgres://host/db?password", "postgres://host/db?****"}}) {
    CHECK(MaskUrls(row.url) == row.shown);
    CHECK(MaskUrls(row.shown) == row.shown);
  }
}

TEST_CASE("a URL setting without a scheme hides everything before its last @") {
  CHECK(MaskUrlSetting("me:hush@host/db") == "****:****@host/db");
  CHECK(MaskUrlSetting("me:hu@sh@host/db") == "****:****@host/db");
  CHECK(MaskUrlSetting("postgres://me:hush@host/db") == "postgres://****:****@host/db");
  CHECK(MaskUrlSetting("memory") == "memory");
}

TEST_CASE("a text without secrets stays as it is") {
  for (const char* text :
       {"", "plain", "https://h", "https://h/x@v1", "s3://bucket/folder", "a@b", "file:///tmp/a b",
        "file:///home/me@acme/states", "s3://team/a@b?region=eu-west-1", "https://h:443/x and me@acme.com",
        "https://[::1]:443/x or me@acme.com", "https://h/x#main", "elsewhere"}) {
    CHECK(MaskUrls(text) == text);
  }
}

}  // namespace kingpost::url_masking_test
