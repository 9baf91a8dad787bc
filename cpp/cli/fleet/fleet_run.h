// SPDX-License-Identifier: Apache-2.0
// One pass over all members of a fleet: a preview, or the operation for real. Each member runs on a thread of its own,
// with a loop, a session and plugins of its own; what they share is the stores, the passphrase, keys that were derived,
// the reaper of their processes, and the screen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/fleet/fleet.h"
#include "cli/operations/operation_run.h"
#include "console/fleet/fleet_screen.h"
#include "operation/fleet/board.h"

namespace kingpost {

// What all passes share.
struct FleetShared {
  std::shared_ptr<ProcessSupervisor> supervisor;
  std::shared_ptr<PassphraseSource> passphrase;
  std::shared_ptr<GitRepositories> git;
};

// What is known of a member after a pass.
struct MemberResult {
  FleetOutcome outcome;
  bool changes = false;       // something was done, or would be; or be recorded otherwise
  bool has_changes = false;   // of resources
  std::vector<size_t> reads;  // other members
  std::string details;        // of a preview that may be asked about: every change
  std::string plan_json;      // with --strict and --save-plan
  std::string recorded_at;    // when the state that was previewed was written; "" if nobody is asked about it
  std::shared_ptr<SecretsManager> secrets;  // keeps its key, for those who come later
  fleet::Board::Times times;
  bool terminated = false, awaits = false;
};

struct FleetPass {
  bool preview = false;
  bool want_details = false;
  FleetFormat format = FleetFormat::kText;
  bool show = true;  // false: nobody reads what this pass would tell
  // Of the pass before, if there was one: members without changes that read nothing that changes are left alone, and
  // those that failed are not run again.
  const std::vector<MemberResult>* before = nullptr;
};

std::vector<MemberResult> RunPass(Session& session, const Fleet& fleet, const OperationFlags& operation,
                                  const FleetFlags& flags, const FleetShared& shared, const FleetPass& pass);

// The targets, excludes and replacements of one member: those whose URN, or whose prefix NAME::, is of it.
Status ChooseTargets(const Fleet& fleet, size_t member, OperationFlags* flags);
// Fails for those that name no stack.
Status CheckTargets(const Fleet& fleet, const OperationFlags& flags);

}  // namespace kingpost
