// SPDX-License-Identifier: Apache-2.0
// One pass over all members of a fleet: a preview, or the operation for real. Each member runs on its own thread, with
// its own loop, session and plugins. Members share the stores, the passphrase, derived keys, the reaper of their
// processes, and the screen.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/fleet/fleet.h"
#include "cli/fleet/member_result.h"

namespace kingpost {

class Cluster;

// The parts that all passes share.
struct FleetShared {
  std::shared_ptr<ProcessSupervisor> supervisor;
  std::shared_ptr<PassphraseSource> passphrase;
  std::shared_ptr<GitRepositories> git;
  std::shared_ptr<ProgramForks> forks;
  std::shared_ptr<Cluster> cluster;  // whose workers do the operation for real; null for this process
};

struct FleetPass {
  bool preview = false;
  bool want_details = false;
  FleetFormat format = FleetFormat::kText;
  // Whether a report, for programs or pull requests, tells what this pass came to. Null: it does.
  std::function<bool(const std::vector<MemberResult>& results)> reports;
  // The results of the preview that ran before, or null. The pass does not run members that the preview found unchanged
  // and that read no changed one. Members whose preview failed do not run again.
  const std::vector<MemberResult>* before = nullptr;
};

std::vector<MemberResult> RunPass(Session& session, const Fleet& fleet, const OperationFlags& operation,
                                  const FleetFlags& flags, const FleetShared& shared, const FleetPass& pass);

// The targets, excludes and replacements of one member: those whose URN, or whose prefix NAME::, is of it.
void ChooseTargets(const Fleet& fleet, size_t member, OperationFlags* flags);
// Fails for those that name no stack.
Status CheckTargets(const Fleet& fleet, const OperationFlags& flags);

}  // namespace kingpost
