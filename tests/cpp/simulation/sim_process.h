// SPDX-License-Identifier: Apache-2.0
// One command on the stack of a simulation, from its lock to the end of its lock. It uses the real store, lock,
// journal, recovery and engine, in the order of cli/operations/operation.cc, on a simulated disk and in a simulated
// world.
//
//     lock ─▶ recover ─▶ load ─▶ journal, engine ─▶ seal, save, remove the journal ─▶ history, backup ─▶ unlock
//
// A seed decides what happens next (an answer of the world, a write of the journal, a signal), so a run repeats
// exactly. A Moment can be taken between any two of these, and before each call to the disk. A second command may come
// in between, after it has cancelled the lock. It runs to its end there, and then the first one goes on.
#pragma once

#include <optional>

#include "base/status.h"
#include "model/snapshot.h"
#include "simulation/doing.h"

namespace kingpost::simulation {

struct Done {
  Status status;
  bool locked = false;                          // another process held the stack, or seemed to
  bool unsaved = false;                         // the checkpoint could not be written, and the lock was left behind
  bool taken = false;                           // another process took the stack meanwhile
  bool changed = false;                         // some step was more than a look
  std::optional<Snapshot> found;                // after recovery; secrets sealed
  std::optional<Snapshot> left;                 // at the end
  Status integrity;                             // of what was recovered
  std::string broken;                           // a promise that was not kept, or ""
  std::vector<std::string> errors;              // that were told
  std::set<std::string> acknowledged, deletes;  // as of a Moment
  int awaits = 0, disk_calls = 0;
};

// Runs the command. With `moments`, adds one for each await and each call to the disk.
Done Do(Reality* reality, const Doing& doing, std::vector<Moment>* moments);

// Marks all earlier processes as dead, and so the locks that they left.
void BuryProcesses(Reality* reality);

// The word that no file may hold: what programs have in their secrets.
inline constexpr char kCanary[] = "hush";

}  // namespace kingpost::simulation
