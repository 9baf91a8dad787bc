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

// Reality between two instructions of a command, and what its program had been told by then.
struct Moment {
  Reality reality;
  std::set<std::string> acknowledged;  // IDs
  std::set<std::string> deletes;  // names whose delete was asked for by a command that had lost the stack meanwhile
  std::string where;              // "await 7", "rename dev.json"
  bool lock_held = false;
};

}  // namespace kingpost::simulation
