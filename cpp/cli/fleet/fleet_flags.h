// SPDX-License-Identifier: Apache-2.0
// The flags of operations on many stacks at once.
#pragma once

#include <string>
#include <vector>

#include "cli/operations/operation_flags.h"
#include "cli/session/flags.h"

namespace kingpost {

// What becomes of a stack that somebody else holds.
enum class WhenLocked { kFail, kWait, kSkip };

struct FleetFlags {
  bool all = false;
  std::string folder;  // "" for the current one
  std::vector<std::string> only;
  bool with_dependents = false, with_dependencies = false;
  std::string changed_since;
  int parallel_stacks = 0;  // 0: as many as there are cores, at least four
  bool create = false;
  WhenLocked when_locked = WhenLocked::kFail;
  std::string on;          // the cluster whose workers do it; "" for this machine
  bool as_member = false;  // this process does one stack for a fleet (member_command.h)

  bool selects() const { return !only.empty() || !changed_since.empty(); }
};

// Those that say which stacks are meant; and those that say how they are run.
void DeclareFleetSelection(Flags* flags, FleetFlags* values);
void DeclareFleetFlags(Flags* flags, FleetFlags* values);

// What makes no sense with --all, or without it, as a usage error.
Status CheckFleetFlags(const Flags& flags, const FleetFlags& values);
Status CheckFleetOperation(const OperationFlags& operation, const FleetFlags& values);

}  // namespace kingpost
