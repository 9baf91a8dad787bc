// SPDX-License-Identifier: Apache-2.0
// Times of day as records have them.
#include "base/clock.h"

#include <catch2/catch.hpp>
#include <cstdlib>

namespace kingpost::clock_test {

TEST_CASE("times of records are read to the second, at any offset and in any time zone of this machine") {
  const std::pair<const char*, int64_t> rows[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"2026-11-21T01:39:29.25Z", 1795225169},
      {"2026-11-21T02:39:29.123456789+01:00", 1795225169},
      {"2026-11-20T20:09:29-05:30", 1795225169},
      {"0001-01-01T00:00:00Z", -62135596800},
  };
  for (const char* zone : {"UTC", "America/New_York"}) {
    setenv("TZ", zone, 1);
    tzset();
    for (const auto& [text, seconds] : rows) {
      INFO(text << " in " << zone);
      CHECK(SecondsOfRfc3339(text) == seconds);
    }
  }
  unsetenv("TZ");
  tzset();
}

TEST_CASE("other texts are no time") {
  for (const char* text : {"", "now", "2026-11-21", "2026-11-21T01:39:29", "2026-11-21T01:39:29Z and more"}) {
    INFO(text);
    CHECK_FALSE(SecondsOfRfc3339(text));
  }
}

}  // namespace kingpost::clock_test
