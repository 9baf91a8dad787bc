// SPDX-License-Identifier: Apache-2.0
// Programs made by chance, for tests that play them on the stage.
#pragma once

#include <cstdlib>
#include <random>

#include "scenarios/stage.h"

namespace kingpost::scenarios {

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937 random_;
};

// Calls f(seed) for 150 seeds, or for as many as KINGPOST_RANDOM_RUNS says, from KINGPOST_RANDOM_SEED on; for that one
// alone if nothing says how many.
template <class F>
void ForEachSeed(const F& f) {
  const char* runs = std::getenv("KINGPOST_RANDOM_RUNS");
  const char* first = std::getenv("KINGPOST_RANDOM_SEED");
  const unsigned long count = runs ? std::stoul(runs) : first ? 1 : 150;
  const unsigned long begin = first ? std::stoul(first) : 1;
  for (unsigned long seed = begin; seed < begin + count; ++seed) f(static_cast<unsigned>(seed));
}

// The kind of program to draw.
struct Shape {
  int size = 2;               // resources r0, r1, ...
  int change_one_in = 0;      // so many are dropped and so many renamed; 0: none
  bool side_by_side = false;  // neighbours register at the same time, now and then
  bool all_options = false;   // protect, hooks, triggers, transforms, a remote component, a provider that changes, ..
  bool at_rest = false;       // but nothing that may stand in the way
};

std::string Name(int i);  // of resource i

// Draws the properties of resource `i` anew each time. The resources that it may refer to are always the same: earlier
// ones, the component home, the provider cloud.
Json RandomProgram(Chance& chance, const Shape& shape);

// Returns the children of the remote component kit, for `plugins`.
Json RandomKit(Chance& chance);

// One to three calls that fail, or fail half-way.
Json RandomFaults(Chance& chance, int size);

// The world of all these programs.
Json WorldOfPrograms();

Json Act(const std::string& run, Json program, Json faults = Json::object());
Scenario MakeScenario(std::vector<Json> acts);

Json Sorted(Json list);
bool OnlySames(const Happened& happened);
bool HasOwners(const Json& program);  // resources with an owner go with it, without a call
std::string Story(const std::vector<Happened>& acts);

}  // namespace kingpost::scenarios
