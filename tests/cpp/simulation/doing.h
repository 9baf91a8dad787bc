// SPDX-License-Identifier: Apache-2.0
// The run of one command of a simulation, and the faults during it.
#pragma once

#include "simulation/reality.h"

namespace kingpost::simulation {

struct Doing {
  std::string
      run;  // as in scenarios; "recover": nothing but to lock, recover and load; "merge": and what was kept aside
  Json program = Json::array();
  Json faults = Json::object();
  unsigned order = 0;
  int cancel_at = 0, terminate_at = 0;  // the await at which a signal arrives, 0: none
  int disk_fails_at = 0;                // the call to the disk that fails, 0: none
  int disk_fails_for = 1;               // how many calls from then on
  int disk_error = 0;
  bool disk_stays_broken = false;
  int taken_at = 0;                        // the await at which another process cancels the lock, 0: none
  int taken_at_call = 0;                   // the same, in the middle of a batch of the journal: its call to the disk
  std::string taken_by;                    // what that process then runs, to its end; "": nothing
  int clock_jumps_at = 0, clock_jump = 0;  // the await, and how many minutes
};

Doing DoingFromJson(const Json& json);

// The keys of an act that stand for something going wrong, its faults left out. A failing story is tried without each.
const std::vector<std::string>& TroubleKeys();

}  // namespace kingpost::simulation
