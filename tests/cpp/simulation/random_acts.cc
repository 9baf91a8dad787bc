// SPDX-License-Identifier: Apache-2.0
#include "simulation/random_acts.h"

#include <cerrno>

#include "scenarios/random_programs.h"

namespace kingpost::simulation {

namespace {

using scenarios::Chance;

// Removes deletedWith: such a resource goes without a call, so the checks could not tell it from an orphan.
Json WithoutOwners(Json program) {
  for (Json& statement : program) {
    statement.erase("deletedWith");
    if (statement.contains("together")) statement["together"] = WithoutOwners(statement["together"]);
  }
  return program;
}

Json PluginTrouble(Chance& chance) {
  switch (chance.Below(5)) {
    case 0:
      return {{"dies", true}};
    case 1:
      return {{"hangs", true}};
    case 2:
      return {{"answer", chance.OneIn(2) ? "no id" : "lost id"}};
    case 3:
      return {{"error", "connection reset by peer"}, {"code", "Unavailable"}};
    default:
      return "broken";
  }
}

void AddFaults(Chance& chance, int size, Json* act) {
  if (chance.OneIn(2)) (*act)["faults"] = scenarios::RandomFaults(chance, size);
  static const char* const kCalls[] = {"create ", "update ", "delete "};
  for (int n = chance.Below(3); n > 0; --n) {
    const std::string call = kCalls[chance.Below(3)];
    (*act)["faults"][call + scenarios::Name(chance.Below(size))] = PluginTrouble(chance);
  }
}

void AddDiskTrouble(Chance& chance, Json* act) {
  (*act)["diskFailsAt"] = 1 + chance.Below(120);
  (*act)["diskFailsFor"] = 1 + chance.Below(4);
  (*act)["diskError"] = chance.OneIn(2) ? ENOSPC : EIO;
  (*act)["diskStaysBroken"] = chance.OneIn(2);
}

// Lets another process cancel the lock, and perhaps run a command of its own.
void AddSecondOwner(Chance& chance, Json* act) {
  if (chance.OneIn(2)) {
    (*act)["takenAt"] = 1 + chance.Below(60);
  } else {
    (*act)["takenAtCall"] = 1 + chance.Below(80);
  }
  static const char* const kRuns[] = {"", "recover", "up", "up", "refresh", "destroy"};
  (*act)["takenBy"] = kRuns[chance.Below(6)];
}

void AddTrouble(Chance& chance, int size, Json* act) {
  if (chance.OneIn(3)) AddFaults(chance, size, act);
  if (chance.OneIn(4)) (*act)["cancelAt"] = 1 + chance.Below(60);
  if (chance.OneIn(6)) (*act)["terminateAt"] = 1 + chance.Below(60);
  if (chance.OneIn(4)) AddDiskTrouble(chance, act);
  if (chance.OneIn(5)) AddSecondOwner(chance, act);
  if (!chance.OneIn(5)) return;
  (*act)["clockJumpsAt"] = 1 + chance.Below(60);
  (*act)["clockJump"] = (chance.OneIn(2) ? 1 : -1) * (1 + chance.Below(600000));
}

}  // namespace

Json MakeStory(unsigned seed) {
  Chance chance(seed);
  scenarios::Shape shape{2 + chance.Below(3), 0, true};
  const Json first = WithoutOwners(RandomProgram(chance, shape));
  shape.change_one_in = 4;
  const Json second = WithoutOwners(RandomProgram(chance, shape));
  const char* const kRuns[] = {"up", "up", "up --continue-on-error", "up --refresh", "refresh", "destroy"};
  Json acts =
      Json::array({{{"run", "up"}, {"program", first}}, {{"run", kRuns[chance.Below(6)]}, {"program", second}}});
  for (Json& act : acts) {
    act["order"] = 1 + chance.Below(1000);
    AddTrouble(chance, shape.size, &act);
  }
  return {{"seed", seed}, {"acts", acts}};
}

}  // namespace kingpost::simulation
