// SPDX-License-Identifier: Apache-2.0
#include "console/fleet/fleet_text.h"

#include <catch2/catch.hpp>

namespace kingpost::fleet_text_test {

FleetScreenOptions Show(size_t stacks) {
  FleetScreenOptions show;
  for (size_t i = 0; i < stacks; ++i) {
    FleetScreenOptions::Stack stack;
    stack.name = "p" + std::to_string(i) + "/prod";
    show.stacks.push_back(stack);
  }
  return show;
}

FleetOutcome Ended(FleetPhase phase, std::string why = "", std::map<std::string, int> changes = {}) {
  FleetOutcome outcome;
  outcome.phase = phase;
  outcome.why = std::move(why);
  outcome.changes = std::move(changes);
  return outcome;
}

TEST_CASE("changes are counted with the marks that rows have", "[fleet]") {
  CHECK(ChangesText({{"create", 3}, {"update", 1}, {"replace", 2}, {"delete", 4}, {"same", 12}}, Painter(false)) ==
        "+3 ~1 +-2 -4, 12 unchanged");
  CHECK(ChangesText({{"same", 2}}, Painter(false)) == "2 unchanged");
  CHECK(ChangesText({}, Painter(false)).empty());
}

TEST_CASE("the sum says how many stacks ended how", "[fleet]") {
  const std::vector<FleetOutcome> outcomes = {Ended(FleetPhase::kUpdated), Ended(FleetPhase::kUnchanged),
                                              Ended(FleetPhase::kUnchanged), Ended(FleetPhase::kFailed),
                                              Ended(FleetPhase::kSkipped)};
  CHECK(FleetSummary(outcomes, OperationKind::kUpdate, false, Painter(false)) ==
        "1 updated, 2 unchanged, 1 failed, 1 skipped");
  CHECK(FleetSummary(outcomes, OperationKind::kUpdate, true, Painter(false)) ==
        "1 changes, 2 unchanged, 1 failed, 1 skipped");
  CHECK(FleetSummary(outcomes, OperationKind::kDestroy, false, Painter(false)).starts_with("1 destroyed"));
}

TEST_CASE("the result of a fleet is the worst result of its members", "[fleet]") {
  CHECK(std::string(FleetResult({Ended(FleetPhase::kUpdated)})) == "succeeded");
  CHECK(std::string(FleetResult({Ended(FleetPhase::kUpdated), Ended(FleetPhase::kFailed)})) == "failed");
  CHECK(std::string(FleetResult({Ended(FleetPhase::kStopped), Ended(FleetPhase::kFailed)})) == "canceled");
}

TEST_CASE("the table has all stacks, with their changes or the reason for none", "[fleet]") {
  const std::string table = FleetTable(Show(3),
                                       {Ended(FleetPhase::kUpdated, "", {{"create", 2}}), Ended(FleetPhase::kUnchanged),
                                        Ended(FleetPhase::kSkipped, "'p0/prod' failed\nand more")},
                                       0, std::chrono::milliseconds(1500));
  CHECK(table ==
        "Stacks:\n  ✓ p0/prod  updated  +2\n    p1/prod  unchanged\n  ! p2/prod  skipped: 'p0/prod' failed\n\n"
        "1 updated, 1 unchanged, 1 skipped (1s)\n");
}

TEST_CASE("the text on many stacks only counts the unchanged ones", "[fleet]") {
  std::vector<FleetOutcome> outcomes(100, Ended(FleetPhase::kUnchanged));
  outcomes[7] = Ended(FleetPhase::kUpdated);
  const std::string table = FleetTable(Show(100), outcomes, 0, std::chrono::milliseconds(0));
  CHECK(table.find("p7/prod   updated") != std::string::npos);
  CHECK(table.find("p8/prod") == std::string::npos);
  CHECK(table.find("1 updated, 99 unchanged") != std::string::npos);
}

TEST_CASE("the text of a wait has the first name and the number of the others", "[fleet]") {
  CHECK(WaitText({}).empty());
  CHECK(WaitText({"a/b"}) == "waits for a/b");
  CHECK(WaitText({"a/b", "c/d", "e/f"}) == "waits for a/b and 2 more");
}

}  // namespace kingpost::fleet_text_test
