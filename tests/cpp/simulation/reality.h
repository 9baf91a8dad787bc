// SPDX-License-Identifier: Apache-2.0
// The part of a simulation that outlives every process: the disk, the things in the cloud, and the time.
#pragma once

#include <set>

#include "scenarios/world.h"
#include "simulation/sim_disk.h"

namespace kingpost::simulation {

using scenarios::Json;

struct Reality {
  SimDisk disk;
  std::map<std::string, scenarios::Thing> cloud;
  std::map<std::string, int> made;  // of World
  int minutes = 0;                  // since the story began; may go backwards
  unsigned launches = 0;
};

// Reality between two instructions of a command, and the IDs that its program has got so far.
struct Moment {
  Reality reality;
  std::set<std::string> acknowledged;  // IDs
  std::set<std::string> deletes;       // names of resources that a command asked to delete after it had lost the stack
  std::string where;                   // "await 7", "rename dev.json"
  bool lock_held = false;
};

}  // namespace kingpost::simulation
