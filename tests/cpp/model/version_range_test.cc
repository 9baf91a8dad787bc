// SPDX-License-Identifier: Apache-2.0
#include "model/version_range.h"

#include <catch2/catch.hpp>

namespace kingpost::version_range_test {

TEST_CASE("version ranges combine comparisons with spaces and bars") {
  struct Row {
    const char *version, *range;
    bool expected;
  };
  const Row rows[] = {
      {"3.5.0", ">=3.5.0 !3.7.7", true},
      {"3.7.7", ">=3.5.0 !3.7.7", false},
      {"3.9.0", "<3.4.0 || >3.8.0", true},
      {"3.5.0", "<3.4.0 || >3.8.0", false},
      {"3.5.0", "3.5.0", true},
      {"3.5.1", "==3.5.0", false},
      {"3.5.0", "3.x", true},
      {"3.0.0", "3.x", true},
      {"3.99.0", "3.x", true},
      {"4.0.0", "3.x", false},
      {"2.99.0", "3.x", false},
      {"4.0.0", ">3.x", true},
      {"3.99.0", ">3.x", false},
      {"3.5.0", "3.5.x", true},
      {"3.6.0", "3.5.x", false},
      {"3.4.9", "3.5.x", false},
      {"3.3.0", "3.5.x", false},
      {"3.5.9", "3.5.x", true},
      {"3.6.0", "!=3.5.x", true},
      {"3.5.3", "!3.5.x", false},
      {"3.6.0", ">3.5.x", true},
      {"3.5.9", ">3.5.x", false},
      {"3.5.9", "<=3.5.x", true},
      {"3.0.0", ">= 3.0.0", true},
      {"3.215.0-alpha.1", ">=3.215.0", false},
  };
  for (const Row& row : rows) {
    INFO(row.version << " in " << row.range);
    auto result = IsInVersionRange(row.version, row.range);
    REQUIRE(result.ok());
    CHECK(*result == row.expected);
  }
  for (const char* bad : {"", ">=3", "~1.2.3", ">=", "1.2.3 ||"}) {
    INFO(bad);
    CHECK_FALSE(IsInVersionRange("1.0.0", bad).ok());
  }
}

TEST_CASE("a program's demand for a version is met or refused with both versions named") {
  CHECK(RequirePulumiVersion("").ok());
  CHECK(RequirePulumiVersion(">=3.0.0").ok());
  CHECK(RequirePulumiVersion(">=100.0.0").message() ==
        "Pulumi CLI version 3.274.1 does not satisfy the version range \">=100.0.0\"");
}

}  // namespace kingpost::version_range_test
