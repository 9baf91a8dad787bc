// SPDX-License-Identifier: Apache-2.0
// The head of a stack in a store of objects: who works on it, until when that is to be believed, and where what is
// recorded lies. While nobody works on the stack and nothing is left over it says so, or is absent. Each write names
// the version that it replaces, and none deletes it while another may read it (docs/backends.md has the table of its
// states). So a write that the network held back finds another head and changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct RunHead {
  enum class State {
    kOpen,        // an operation is under way, or was
    kRecovering,  // `owner` takes in what the run of another one left
    kSaved,       // all of the run is in the checkpoint; its batches are about to be deleted
    kLeft,        // nobody works on it, and what was recorded waits to be taken in
    kFree,        // no command works on it, and nothing was recorded: `run` has no writes yet
  };
  // Its owner, if there is one still, has no more to say.
  bool given_up() const { return state == State::kLeft || state == State::kFree; }
  std::string run;                  // the folder of its batches: a UUID
  std::string lock;                 // the ID of the owner's lock
  std::vector<std::string> former;  // locks of owners that are gone, and whose locks may not be
  std::string stack;
  State state = State::kOpen;
  std::string owner_json;  // as in a lock
  // The hashes of checkpoints that the run was about to go into, each by one who then died: any of them has all of it.
  std::vector<std::string> commits;
  // The object that the checkpoint has moved to, or is about to: one that is late may come into being there, so each
  // save goes there from then on. A checkpoint changes its form once.
  std::string moved_to;
  int lease_seconds = 60;          // dead without a renewal for so long, by the service's clock
  bool has_liveness_lock = false;  // the owner holds one that others see the end of
  int64_t renewals = 0;            // makes each renewal another document
};

std::string EncodeRunHead(const RunHead& head);
Result<RunHead> ParseRunHead(const std::string& location, const std::string& bytes);

// KINGPOST_STATE_LEASE, or a minute.
int LeaseSeconds();

}  // namespace kingpost
