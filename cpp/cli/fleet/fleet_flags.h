// SPDX-License-Identifier: Apache-2.0
// The flags of operations on many stacks at once.
#pragma once

#include <string>
#include <vector>

#include "cli/operations/operation_flags.h"
#include "cli/session/flags.h"

namespace kingpost {

// The way to treat a stack that another process has locked.
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
  bool fail_fast = false;
  std::string on;          // the cluster whose workers do it; "" for this machine
  bool as_member = false;  // this process does one stack for a fleet (member_command.h)

  bool selects() const { return !only.empty() || !changed_since.empty(); }
};

// Declare the flags that select stacks, and those that say how stacks run.
void DeclareFleetSelection(Flags* flags, FleetFlags* values);
void DeclareFleetFlags(Flags* flags, FleetFlags* values);

// Fail with a usage error for flags that make no sense with --all, or without it.
Status CheckFleetFlags(const Flags& flags, const FleetFlags& values);
Status CheckFleetOperation(const OperationFlags& operation, const FleetFlags& values);

}  // namespace kingpost
