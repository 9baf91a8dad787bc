// One command on the stack of a simulation, from its lock to the end of its lock: the real store, lock, journal,
// recovery and engine, in the order in which cli/operation.cc uses them, on a simulated disk and in a simulated world.
//
//     lock ─▶ recover ─▶ load ─▶ journal, engine ─▶ seal, save, remove the journal ─▶ history, backup ─▶ unlock
//
// What happens next (an answer of the world, a write of the journal, a signal) is decided by a seed, so a run repeats
// to the letter. Between any two of these, and before each call to the disk, a Moment can be taken.
#pragma once

#include <optional>

#include "base/status.h"
#include "model/snapshot.h"
#include "simulation/reality.h"

namespace kingpost::simulation {

// What is done, and what goes wrong meanwhile.
struct Doing {
  std::string run;  // as in scenarios; "recover": nothing but to lock, recover and load
  Json program = Json::array();
  Json faults = Json::object();
  unsigned order = 0;
  int cancel_at = 0, terminate_at = 0;  // the await at which a signal arrives, 0: none
  int disk_fails_at = 0;                // the call to the disk that fails, 0: none
  int disk_error = 0;
  bool disk_stays_broken = false;
};

Doing DoingFromJson(const Json& json);

struct Done {
  Status status;
  bool locked = false;              // another process held the stack, or seemed to
  bool unsaved = false;             // the checkpoint could not be written, and the lock was left behind
  bool changed = false;             // some step was more than a look
  std::optional<Snapshot> found;    // after recovery; secrets sealed
  std::optional<Snapshot> left;     // at the end
  Status integrity;                 // of what was recovered
  std::string broken;               // a promise that was not kept, or ""
  std::vector<std::string> errors;  // that were told
  int awaits = 0, disk_calls = 0;
};

// With `moments`, one is added for each await and each call to the disk.
Done Do(Reality* reality, const Doing& doing, std::vector<Moment>* moments);

// The processes of before are gone: whatever locks they left are those of dead owners.
void BuryProcesses(Reality* reality);

// The word that no file may hold: what programs have in their secrets.
inline constexpr char kCanary[] = "hush";

}  // namespace kingpost::simulation
