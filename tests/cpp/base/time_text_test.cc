// SPDX-License-Identifier: Apache-2.0
#include "base/time_text.h"

#include <catch2/catch.hpp>

namespace kingpost::time_text_test {

constexpr int64_t kNoonMs = 1'756'555'200'000;  // 2025-08-30T12:00:00Z

TEST_CASE("A time with an offset is the same moment as the one in UTC", "[base][time]") {
  CHECK(ParseIsoTime("2025-08-30T12:00:00Z") == kNoonMs);
  CHECK(ParseIsoTime("2025-08-30T14:00:00+02:00") == kNoonMs);
  CHECK(ParseIsoTime("2025-08-30T08:30:00-03:30") == kNoonMs);
  CHECK(ParseIsoTime("2025-08-30T14:00:00.123456789+02:00") == kNoonMs + 123);
  CHECK(ParseIsoTime("2025-08-30T12:00:00.5Z") == kNoonMs + 500);
}

TEST_CASE("A text that is no time is told from one", "[base][time]") {
  for (const char* text : {"", "yesterday", "2025-08-30", "2025-08-30T12:00:00", "2025-08-30T12:00:00 Z",
                           "2025-08-30T12:00:00+2", "Sat, 30 Aug 2025 12:00:00 GMT"}) {
    CAPTURE(text);
    CHECK(ParseIsoTime(text) == -1);
  }
  for (const char* text : {"", "Sat, 30 Agu 2025 12:00:00 GMT", "2025-08-30T12:00:00Z"}) {
    CAPTURE(text);
    CHECK(ParseHttpDate(text) == -1);
  }
}

TEST_CASE("Each form of a time is read back as it was written", "[base][time]") {
  CHECK(FormatIsoTime(kNoonMs) == "2025-08-30T12:00:00Z");
  CHECK(FormatBasicTime(kNoonMs) == "20250830T120000Z");
  CHECK(FormatHttpDate(kNoonMs) == "Sat, 30 Aug 2025 12:00:00 GMT");
  CHECK(ParseHttpDate(FormatHttpDate(kNoonMs)) == kNoonMs);
}

}  // namespace kingpost::time_text_test
