// SPDX-License-Identifier: Apache-2.0
// A story of several commands on several machines that share a stack, drawn from a seed and told by the real store,
// journal and recovery over traffic.h. What must hold:
//
//     lost      what a command was told of is in the state that the next command finds, unless a later one took it away
//     stuck     the next command gets the stack, and its recovery refuses nothing
//     wronged   a command that nothing befell, while nobody cancelled, keeps the stack that it got
//     changed   what is still on its way then changes nothing any more
#pragma once

#include <map>
#include <string>

#include "simulation/traffic.h"

namespace kingpost::simulation {

struct SharedTally : TrafficTally {
  long stories = 0, commands = 0, ended_well = 0, acknowledged = 0, took_over = 0, recovered = 0;
  std::map<std::string, long> kinds;
};

// "" or what went wrong.
std::string TellShared(unsigned seed, SharedTally* tally);

}  // namespace kingpost::simulation
