// SPDX-License-Identifier: Apache-2.0
// Checks the names of log files, and the moments that users write for --since.
#include "cli/logs/log_files.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "support/temp_folder.h"

namespace kingpost::log_files_test {

// The zone in which names of logs and local times are read, for as long as a test runs.
struct Zone {
  explicit Zone(const char* name) {
    setenv("TZ", name, 1);
    tzset();
  }
  ~Zone() {
    unsetenv("TZ");
    tzset();
  }
};

TEST_CASE("the name of a log file gives its stack or command, its time and its update", "[cli]") {
  const Zone zone("UTC");
  const auto of_stack = ParseLogName("organization+shop+dev-20261125T103709-1f2e.log");
  REQUIRE(of_stack);
  CHECK(of_stack->stack == "organization/shop/dev");
  CHECK(of_stack->update_id == "1f2e");
  CHECK(of_stack->time == 1795603029);
  CHECK(of_stack->shown_stack() == "organization/shop/dev");
  const auto is_command_log = ParseLogName("pulumi-20261125T103708-9710-plugin_install.log");
  REQUIRE(is_command_log);
  CHECK(is_command_log->is_command_log());
  CHECK(is_command_log->update_id == "9710");
  CHECK(is_command_log->shown_stack() == "(cli: plugin install)");
  const auto bare = ParseLogName("pulumi-20261125T103708-9710.log");
  REQUIRE(bare);
  CHECK(bare->shown_stack() == "(cli)");
  for (const char* other :
       {"notes.log", "dev-20261125T103709.txt", "dev-20261125.log", "dev-2026112T1037091.log", ""}) {
    CAPTURE(other);
    CHECK_FALSE(ParseLogName(other));
  }
}

TEST_CASE("logs are listed with the newest first, and nothing else is", "[cli]") {
  const TempFolder folder;
  CHECK(ListLogFiles(folder / "logs")->empty());
  Spit(folder / "logs/pulumi-20261125T103708-1.log", "12345");
  Spit(folder / "logs/dev-20261126T103708.log", "");
  Spit(folder / "logs/readme.txt", "");
  std::filesystem::create_directories(folder / "logs/dev-20261127T103708.log");
  const auto files = ListLogFiles(folder / "logs");
  REQUIRE(files.ok());
  REQUIRE(files->size() == 2);
  CHECK(files->at(0).stack == "dev");
  CHECK(files->at(1).bytes == 5);
  CHECK(files->at(1).path == folder / "logs/pulumi-20261125T103708-1.log");
}

TEST_CASE("moments are durations, dates and times", "[cli]") {
  const Zone zone("UTC-2");  // two hours east
  constexpr std::time_t kNow = 1'000'000;
  CHECK(ParseLogTime("24h", kNow) == kNow - 86400);
  CHECK(ParseLogTime("1m30s", kNow) == kNow - 90);
  CHECK(ParseLogTime("1970-01-02", kNow) == 86400 - 7200);
  CHECK(ParseLogTime("1970-01-02T10:00", kNow) == 86400 + 8 * 3600);
  CHECK(ParseLogTime("1970-01-02T10:00:05Z", kNow) == 86400 + 10 * 3600 + 5);
  CHECK(ParseLogTime("12", kNow) == 12);
  for (const char* none : {"", "yesterday", "1970-13-01", "1970-01-02 10", "12x"}) {
    CAPTURE(none);
    CHECK_FALSE(ParseLogTime(none, kNow));
  }
}

}  // namespace kingpost::log_files_test
