// SPDX-License-Identifier: Apache-2.0
// A story of several commands on several machines that share a stack. A seed draws it, and the real store, journal and
// recovery play it over traffic.h. A failure begins with the name of the promise that was broken:
//
//     lost      the next command finds each acknowledged resource, unless a later command removed it
//     stuck     the next command gets the stack, and its recovery succeeds
//     wronged   a command without faults keeps the stack that it got, as long as no command cancels it
//     changed   requests that arrive late change nothing any more
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
