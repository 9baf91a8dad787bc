// SPDX-License-Identifier: Apache-2.0
// Operations broken off at every await and at every call to the disk, on simulated disks and clouds.
//
//   KINGPOST_SIMULATION_POINTS=1000000 kp_tests "[simulation]"   as many crashes instead of 20,000
//   KINGPOST_SIMULATION_SEED=17 kp_tests "[simulation]"          the story of that seed alone; with both: from it on
//
// A story that fails is made smaller and printed; as a file of tests/cpp/simulation/cases it is played again for ever.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "simulation/explorer.h"
#include "simulation/random_acts.h"
#include "simulation/shrink.h"

namespace kingpost::simulation_test {

using namespace simulation;

long Number(const char* variable, long absent) {
  const char* text = std::getenv(variable);
  return text ? std::stol(text) : absent;
}

void Print(const Tally& tally, unsigned stories, double seconds) {
  std::printf(
      "%u stories, %ld acts, %ld crashes (%ld kills, %ld power cuts; %ld in a recovery), %ld operations run "
      "again, %ld rivals, %ld taken over, %ld merges; %.0f crashes per second of processor time\n",
      stories, tally.acts, tally.moments, tally.kills, tally.cuts, tally.nested, tally.runs_again, tally.rivals,
      tally.taken, tally.merges, static_cast<double>(tally.moments) / seconds);
  for (const auto& [fault, count] : tally.faults) std::printf("  %-12s %ld acts\n", fault.c_str(), count);
}

TEST_CASE("an operation that is broken off anywhere loses nothing, and the next one goes on", "[simulation][long]") {
  const unsigned first = static_cast<unsigned>(Number("KINGPOST_SIMULATION_SEED", 1));
  const bool single = std::getenv("KINGPOST_SIMULATION_SEED") && !std::getenv("KINGPOST_SIMULATION_POINTS");
  const long wanted = single ? 1 : Number("KINGPOST_SIMULATION_POINTS", 20000);
  const std::clock_t began = std::clock();
  Tally tally;
  unsigned seed = first;
  for (int failed = 0; tally.moments < wanted && failed < 5; ++seed) {
    const Json story = MakeStory(seed);
    const Failure failure = Explore(story, &tally);
    if (failure.what.empty()) continue;
    ++failed;
    std::cerr << "seed " << seed << ": " << failure.what << "\n  " << failure.crash.dump() << std::endl;
    const Json small = Shrink(story, failure);
    FAIL_CHECK("seed " << seed << ": " << failure.what << "\nmade smaller:\n" << small.dump(1));
  }
  Print(tally, seed - first, static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC);
}

TEST_CASE("the stories of earlier defects pass", "[simulation][long]") {
  const std::string folder = std::string(KINGPOST_SOURCE_DIR) + "/tests/cpp/simulation/cases";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const Json story = Json::parse(file);
    Tally tally;
    INFO(entry.path().filename().string() << ": " << story.value("about", ""));
    const Failure failure = Explore(story, &tally);
    INFO(failure.crash.dump());
    CHECK(failure.what == "");
    CHECK(tally.moments > 0);
  }
}

}  // namespace kingpost::simulation_test
