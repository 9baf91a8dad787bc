// SPDX-License-Identifier: Apache-2.0
// The operation on one member, done by a worker of a cluster: what comes from there moves the screen here, and what is
// asked there is answered from the board here. A worker that dies is followed by another, which begins anew. The thread
// of the member.
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
