// SPDX-License-Identifier: Apache-2.0
// Runs the operation on one member by a worker of a cluster. Its output moves the screen here, and the board here
// answers its questions. If the worker dies, another one begins the member anew. Runs on the member's thread.
#pragma once

#include <string>

#include "cli/fleet/cluster.h"
#include "cli/fleet/fleet.h"
#include "cli/fleet/member_result.h"

namespace kingpost {

struct RemoteMember {
  Cluster& cluster;
  fleet::Board& board;
  FleetScreen& screen;
  const Fleet& fleet;
  size_t member = 0;
  const OperationFlags& flags;  // of this member
  WhenLocked when_locked = WhenLocked::kFail;
  std::string plan;         // that the operation is held to; "" for none
  std::string recorded_at;  // when the state that was previewed was written; "" if that does not matter
};

// Waits until it is over, and fills *result.
void RunRemotely(const RemoteMember& remote, MemberResult* result);

}  // namespace kingpost
