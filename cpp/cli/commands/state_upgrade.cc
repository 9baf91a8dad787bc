// SPDX-License-Identifier: Apache-2.0
// state upgrade: stacks of a store without projects get theirs (row 6.14).
#include <iostream>

#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/signals.h"
#include "operation/stack_context.h"
#include "operation/stack_upgrade.h"
#include "remote/blob/run_parallel.h"

namespace kingpost {

namespace {

void AskForProjects(Session& session, std::vector<LegacyStack>* stacks) {
  bool told = false;
  for (LegacyStack& stack : *stacks) {
    if (!stack.project.empty()) continue;
    if (!told) {
      session.Say(
          "Found stacks without a project name.\nPlease enter a project name for each stack, or enter to skip that "
          "stack.\n");
    }
    told = true;
    for (std::string answer;;) {
      session.Print("Stack " + stack.name.name + ": ");
      if (!std::getline(std::cin, answer) || answer.empty()) break;
      const Status valid = ValidateProjectName(answer);
      if (valid.ok()) stack.project = answer;
      if (valid.ok()) break;
      session.Warn(valid.message());
    }
  }
}

// The result for one of them.
struct Upgraded {
  Status done;
  std::vector<std::string> notes;
};

Upgraded Upgrade(LayoutUpgrade& upgrade, const LegacyStack& stack, bool asked) {
  Upgraded upgraded;
  if (stack.project.empty()) {
    const char* remedy = asked ? "" : "; run this command in a terminal to be asked for it";
    upgraded.done = {Code::kFailedPrecondition, std::string("no project name found") + remedy};
    return upgraded;
  }
  upgraded.done = UpgradeStack(upgrade, stack, CurrentSealOptions("kingpost"), &upgraded.notes)
                      .Wrap("rename to " + std::string(kDiyOrganization) + "/" + stack.project + "/" + stack.name.name);
  return upgraded;
}

// Several at a time, because each waits for the store.
void UpgradeAll(Session& session, LayoutUpgrade& upgrade, const std::vector<LegacyStack>& stacks) {
  const SavingSignals signals(SavingSignals::After::kGoOn);
  std::vector<Upgraded> all(stacks.size());
  (void)RunParallel(stacks.size(), [&](size_t i) {
    all[i] = Upgrade(upgrade, stacks[i], session.interactive());
    return Status::Ok();
  });
  int upgraded = 0;
  for (size_t i = 0; i < stacks.size(); ++i) {
    for (const std::string& note : all[i].notes) session.Note(note);
    if (all[i].done.ok()) ++upgraded;
    if (!all[i].done.ok()) session.Warn("Skipping stack \"" + stacks[i].name.name + "\": " + all[i].done.message());
  }
  session.Note("Upgraded " + std::to_string(upgraded) + " stack(s) to project mode");
}

Status Run(Session& session, bool yes) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<std::unique_ptr<LayoutUpgrade>> upgrade = LayoutUpgrade::Open(**store);
  if (!upgrade.ok()) return upgrade.status();
  if (!*upgrade) {
    session.Print("Nothing to do\n");
    return Status::Ok();
  }
  if (!yes) {
    const Result<bool> confirmed = Confirm(session,
                                           "This will upgrade the current backend to the latest supported version.\n"
                                           "Older versions of Pulumi will not be able to read the new format.\n"
                                           "Are you sure you want to proceed? Type 'yes' to go on: ",
                                           "yes");
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) {
      session.Print("Upgrade cancelled\n");
      return Status::Ok();
    }
  }
  Result<std::vector<LegacyStack>> stacks = FindLegacyStacks(**upgrade);
  if (!stacks.ok()) return stacks.status();
  if (session.interactive()) AskForProjects(session, &*stacks);
  if (const Status declared = (*upgrade)->DeclareProjects(); !declared.ok()) {
    return declared.Wrap(
        "state upgrade failed: could not write new state metadata file; please verify that the storage is writable, "
        "and try again");
  }
  UpgradeAll(session, **upgrade, *stacks);
  return Status::Ok();
}

}  // namespace

void AddStateUpgradeCommand(Commands* commands) {
  commands->push_back(
      {"state upgrade", "Migrate the backend to the latest supported version", [](Flags& flags) -> CommandBody {
         auto yes = std::make_shared<bool>(false);
         flags.Switch("-y,--yes", yes.get(), "Do not ask");
         return [yes](Session& session) { return Run(session, *yes); };
       }});
}

}  // namespace kingpost
