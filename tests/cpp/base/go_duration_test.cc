// SPDX-License-Identifier: Apache-2.0
// Durations in Go's spelling.
#include "base/go_duration.h"

#include <catch2/catch.hpp>

namespace kingpost::go_duration_test {

TEST_CASE("durations are read as Go reads them") {
  const std::pair<const char*, double> rows[] = {
      {"0", 0},       {"5m", 300},          {"1h30m", 5400},      {"90s", 90},   {"1.5m", 90},
      {"300ms", 0.3}, {"-1m", -60},         {"+2s", 2},           {".5s", 0.5},  {"1.s", 1},
      {"1us", 1e-6},  {"1\xC2\xB5s", 1e-6}, {"1\xCE\xBCs", 1e-6}, {"1ns", 1e-9}, {"1h1m1s1ms", 3661.001},
      {"0s", 0},      {"100h", 360000},     {"1m1m", 120}};
  for (const auto& [text, seconds] : rows) {
    INFO(text);
    const auto parsed = ParseGoDuration(text);
    REQUIRE(parsed);
    CHECK(*parsed == Approx(seconds));
  }
}

TEST_CASE("ParseGoDuration refuses every text that Go refuses") {
  for (const char* text : {"", "-", "+", "5", "1", "s", ".", ".s", "1x", "1 s", " 1s", "1s ", "1m30", "--1s", "1d",
                           "1.2.3s", "1e3s", "0x1s"}) {
    INFO("'" << text << "'");
    CHECK_FALSE(ParseGoDuration(text));
  }
}

TEST_CASE("durations are written as Go writes them") {
  const std::pair<double, const char*> rows[] = {
      {0, ""},        {300, "5m0s"}, {5400, "1h30m0s"},    {90, "1m30s"},      {3600, "1h0m0s"},  {1.5, "1.5s"},
      {0.3, "300ms"}, {59, "59s"},   {-60, "-1m0s"},       {60.25, "1m0.25s"}, {0.0015, "1.5ms"}, {5e-9, "5ns"},
      {1, "1s"},      {1e-3, "1ms"}, {1e-6, "1\xC2\xB5s"}, {60, "1m0s"}};
  for (const auto& [seconds, text] : rows) CHECK(FormatGoDuration(seconds) == text);
}

TEST_CASE("a formatted duration is parsed to the same value") {
  for (int i = 1; i < 100000; i += 37) {
    const double seconds = i * 0.125;
    const auto parsed = ParseGoDuration(FormatGoDuration(seconds));
    REQUIRE(parsed);
    REQUIRE(*parsed == Approx(seconds));
  }
}

}  // namespace kingpost::go_duration_test
