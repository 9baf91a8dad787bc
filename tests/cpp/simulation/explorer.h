// SPDX-License-Identifier: Apache-2.0
// Plays a story and breaks it off at every moment. Then the next command must start, and the record must be true. The
// same operation must end when it is run again, and have nothing to do when it is run a third time.
//
// A story is JSON, so that a failing one can be kept in a file:
//
//     {"acts": [{"run": "up", "program": [..], "faults": {..}, "order": 3, "cancelAt": 12, "diskFailsAt": 40,
//                .. (simulation/doing.h)}],
//      "crash": {"act": 0, "moment": 57, "kind": "power cut", "seed": 9},       absent: at every moment of every act
//      "exploreFrom": 1,                                                        but not of those before this one
//      "tries": 20                                                              crashes at each moment; absent: one
//     }
#pragma once

#include <set>

#include "simulation/record_check.h"
#include "simulation/sim_process.h"

namespace kingpost::simulation {

struct Tally {
  long moments = 0;          // crashes, each at another moment
  long kills = 0, cuts = 0;  // by kind
  long nested = 0;           // of these, in the middle of the recovery from another one
  long runs_again = 0;       // operations that were run again afterwards; the same situation is not tried twice
  long rivals = 0;           // second commands that met a held stack
  long taken = 0;            // operations that lost the stack to another process
  long merges = 0;           // journals that were kept aside, and merged
  long acts = 0;
  std::map<std::string, long> faults;  // acts with such a fault
};

struct Failure {
  std::string what;  // "" if all went well; begins with a word for its kind
  Json crash;        // where: as "crash" of a story
};

Failure Explore(const Json& story, Tally* tally);

}  // namespace kingpost::simulation
