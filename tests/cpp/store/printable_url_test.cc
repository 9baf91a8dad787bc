// SPDX-License-Identifier: Apache-2.0
#include "store/printable_url.h"

#include <catch2/catch.hpp>
#include <vector>

namespace kingpost::printable_url_test {

TEST_CASE("the URL of a backend is shown without passwords", "[store]") {
  struct Row {
    std::string url, shown;
  };
  for (const Row& row :
       std::vector<Row>{{"file:///home/me@acme/states", "file:///home/me@acme/states"},
                        {"s3://team/a@b?region=eu-west-1", "s3://team/a@b?region=eu-west-1"},
                        {"s3://key:hush@team/a@b", "s3://****:****@team/a@b"},
                        {"postgres://me:hush@host/db", "postgres://****:****@host/db"},
                        {"postgres://me:hu/sh@host/db", "postgres://****:****@host/db"},
                        {"postgres://me:hu@/sh@host/db", "postgres://****:****@host/db"},
                        {"postgres://host/db?password=hush&table=t", "postgres://host/db?password=****&table=t"},
                        {"postgres://host/db?table=t&sslpassword=hush", "postgres://host/db?table=t&sslpassword=****"},
                        {"postgres://host/db?password", "postgres://host/db?password=****"},
                        {"elsewhere", "elsewhere"}}) {
    CHECK(PrintableBackendUrl(row.url) == row.shown);
  }
}

}  // namespace kingpost::printable_url_test
