// SPDX-License-Identifier: Apache-2.0
// Runs random programs on the engine, and changes, breaks and interrupts them. The promises of the stage always hold, a
// repeated run has nothing to do, and a destroy leaves nothing behind. A failure names its seed.
//
//   KINGPOST_RANDOM_RUNS=20000 kp_tests "[random]"    more of them than the 150 of each kind
//   KINGPOST_RANDOM_SEED=17 kp_tests "[random]"       that one alone
//   both                                              so many from that one on
#include "scenarios/random_programs.h"

#include <catch2/catch.hpp>

namespace kingpost::random_programs_test {

using namespace scenarios;

// Drops the times: of two resources that register side by side either may come first. All else must be equal.
Json WithoutTimes(Json state) {
  for (Json& resource : state) {
    resource.erase("created");
    resource.erase("modified");
  }
  return state;
}

TEST_CASE("random programs have the same result in any order of answers, and a destroy leaves nothing",
          "[scenarios][random]") {
  ForEachSeed([](unsigned seed) {
    Chance chance(seed);
    Shape shape{2 + chance.Below(6)};
    const Json first = RandomProgram(chance, shape);
    shape.change_one_in = 5;
    const Json second = RandomProgram(chance, shape);
    const Scenario scenario = MakeScenario({Act("up", first), Act("preview", second), Act("up", second),
                                            Act("up --refresh", second), Act("destroy", Json::array())});
    INFO("seed " << seed << "\n" << first.dump(1) << "\n" << second.dump(1));
    const std::vector<Happened> straight = Play(scenario, 0);
    INFO(Story(straight));
    REQUIRE(straight.size() == 5);
    for (const Happened& act : straight) {
      REQUIRE(act.broken == "");
      REQUIRE(act.fails == "");
    }
    CHECK(OnlySames(straight[3]));
    CHECK(straight[4].state == Json::object());
    if (!HasOwners(first) && !HasOwners(second)) CHECK(straight[4].cloud == Json::array());
    for (unsigned order = 1; order <= 2; ++order) {
      const std::vector<Happened> other = Play(scenario, order);
      for (size_t act = 0; act < straight.size(); ++act) {
        INFO("act " << act << ", order " << order);
        REQUIRE(other[act].broken == "");
        REQUIRE(Sorted(other[act].steps) == Sorted(straight[act].steps));
        REQUIRE(WithoutTimes(other[act].state) == WithoutTimes(straight[act].state));
      }
    }
  });
}

TEST_CASE("random failures lose nothing, and the next run makes up for them", "[scenarios][random]") {
  ForEachSeed([](unsigned seed) {
    Chance chance(seed);
    Shape shape{2 + chance.Below(6), 0, true};
    const Json first = RandomProgram(chance, shape);
    shape.change_one_in = 5;
    const Json second = RandomProgram(chance, shape);
    const std::string run = chance.OneIn(2) ? "up --continue-on-error" : "up";
    const int size = shape.size;
    const Scenario scenario = MakeScenario(
        {Act(run, first, RandomFaults(chance, size)), Act(run, second, RandomFaults(chance, size)), Act("up", second),
         Act("up", second), Act("destroy --continue-on-error", Json::array(), RandomFaults(chance, size)),
         Act("destroy", Json::array())});
    INFO("seed " << seed << "\n" << scenario.acts[0].dump(1) << "\n" << scenario.acts[1].dump(1));
    const std::vector<Happened> acts = Play(scenario, seed % 4);
    INFO(Story(acts));
    for (const Happened& act : acts) REQUIRE(act.broken == "");
    REQUIRE(acts.size() == 6);
    CHECK(acts[2].fails == "");
    CHECK(OnlySames(acts[3]));
    CHECK(acts[5].state == Json::object());
    if (!HasOwners(first) && !HasOwners(second)) CHECK(acts[5].cloud == Json::array());
  });
}

TEST_CASE("random interruptions leave a record that the next run goes on from", "[scenarios][random]") {
  ForEachSeed([](unsigned seed) {
    Chance chance(seed);
    Shape shape{2 + chance.Below(6), 0, true};
    const Json first = RandomProgram(chance, shape);
    shape.change_one_in = 5;
    const Json second = RandomProgram(chance, shape);
    const char* const call = chance.OneIn(2) ? "create " : "update ";
    const Json stop = {{call + Name(chance.Below(shape.size)), {{chance.OneIn(2) ? "cancel" : "terminate", true}}}};
    const Scenario scenario =
        MakeScenario({Act("up", first, chance.OneIn(2) ? stop : Json::object()), Act("up", second, stop),
                      Act("up", second), Act("up", second), Act("destroy", Json::array())});
    INFO("seed " << seed << "\n" << scenario.acts[0].dump(1) << "\n" << scenario.acts[1].dump(1));
    const std::vector<Happened> acts = Play(scenario, seed % 4);
    INFO(Story(acts));
    for (const Happened& act : acts) REQUIRE(act.broken == "");
    REQUIRE(acts.size() == 5);
    CHECK(acts[2].fails == "");
    CHECK(OnlySames(acts[3]));
    CHECK(acts[4].state == Json::object());
  });
}

}  // namespace kingpost::random_programs_test
