// SPDX-License-Identifier: Apache-2.0
#include "cli/timings/timings.h"

#include <catch2/catch.hpp>

namespace kingpost::timings_test {

using Activity = Timings::Activity;

// A clock that moves only when the test moves it.
struct FakeClock {
  Timings::Clock::time_point now{};
  void Pass(int milliseconds) { now += std::chrono::milliseconds(milliseconds); }
  std::function<Timings::Clock::time_point()> reader() {
    return [this] { return now; };
  }
};

// The row of the table that begins with `name`, its columns parted by one space.
std::string Row(const std::string& table, const std::string& name) {
  const size_t at = table.find("    " + name);
  if (at == std::string::npos) return "";
  std::string row;
  for (char c : table.substr(at, table.find('\n', at) - at)) {
    if (c != ' ' || (!row.empty() && row.back() != ' ')) row += c;
  }
  return row;
}

TEST_CASE("each moment counts for the first activity of the table that is running", "[timings]") {
  FakeClock clock;
  Timings timings(clock.reader());
  clock.Pass(100);  // nothing: everything else
  timings.ProgramStarts();
  clock.Pass(400);  // the SDK
  timings.ProgramConnects();
  clock.Pass(200);  // the program
  {
    Timings::Span planning(&timings, Activity::kPlanning);
    clock.Pass(30);
    Timings::Span first(&timings, Activity::kProviderCall, "Diff");
    clock.Pass(50);
    Timings::Span second(&timings, Activity::kProviderCall, "Check");
    clock.Pass(50);
    first.End();
    clock.Pass(20);
  }
  timings.ProgramConnects();  // nothing new
  clock.Pass(150);
  timings.ProgramEnds();
  const std::string table = timings.Table("Timings of the update");
  CHECK(table.rfind("Timings of the update\n", 0) == 0);
  CHECK(Row(table, "provider calls") == "provider calls 0.120 0.170 2 0.100");
  CHECK(Row(table, "  Check") == "Check 0.070 1 0.070");
  CHECK(Row(table, "  Diff") == "Diff 0.100 1 0.100");
  CHECK(Row(table, "planning") == "planning 0.030 0.150 1 0.150");
  CHECK(Row(table, "start of the SDK") == "start of the SDK 0.400 0.400 1 0.400");
  CHECK(Row(table, "program") == "program 0.350 0.500 1 0.500");
  CHECK(Row(table, "saving") == "saving 0.000");
  CHECK(Row(table, "everything else") == "everything else 0.100");
  CHECK(Row(table, "all ") == "all 1.000");
}

TEST_CASE("a span without timings does nothing, and a moved span ends once", "[timings]") {
  FakeClock clock;
  Timings timings(clock.reader());
  Timings::Span none(nullptr, Activity::kSaving);
  Timings::Span first(&timings, Activity::kSaving);
  clock.Pass(10);
  Timings::Span moved(std::move(first));
  first.End();
  clock.Pass(10);
  moved.End();
  moved.End();
  CHECK(Row(timings.Table(""), "saving") == "saving 0.020 0.020 1 0.020");
}

TEST_CASE("the time of a program that never registered anything counts as the start of the SDK", "[timings]") {
  FakeClock clock;
  Timings timings(clock.reader());
  timings.ProgramStarts();
  clock.Pass(70);
  timings.ProgramEnds();
  timings.ProgramEnds();
  const std::string table = timings.Table("");
  CHECK(Row(table, "start of the SDK") == "start of the SDK 0.070 0.070 1 0.070");
  CHECK(Row(table, "program") == "program 0.000");
}

}  // namespace kingpost::timings_test
