// SPDX-License-Identifier: Apache-2.0
// state upgrade: stacks of a file store without projects get theirs (row 6.14).
#include <iostream>

#include "cli/commands/shared.h"
#include "cli/exit_code.h"
#include "cli/signals.h"
#include "cli/stack_access.h"
#include "journal/recover.h"
#include "store/layout_upgrade.h"

namespace kingpost {

namespace {

struct LegacyStack {
  StackName name;
  std::string project;  // "" if unknown
};

Result<CheckpointDocument> ReadLegacy(LayoutUpgrade& upgrade, const StackName& name) {
  const Result<StackDocument> document = upgrade.legacy().Load(name);
  if (!document.ok()) return document.status();
  Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document->bytes, DecodeOptions());
  return checkpoint.ok() ? checkpoint : checkpoint.status().Wrap("could not read the state " + document->location);
}

// Every URN names the project.
Result<std::vector<LegacyStack>> FindLegacyStacks(LayoutUpgrade& upgrade) {
  const Result<std::vector<StackEntry>> entries = upgrade.legacy().List();
  if (!entries.ok()) return entries.status();
  std::vector<LegacyStack> stacks;
  for (const StackEntry& entry : *entries) {
    const Result<CheckpointDocument> checkpoint = ReadLegacy(upgrade, entry.stack);
    if (!checkpoint.ok()) return checkpoint.status();
    const std::vector<StatePtr>& resources = checkpoint->snapshot.resources;
    stacks.push_back({entry.stack, resources.empty() ? "" : std::string(resources[0]->urn.project())});
  }
  return stacks;
}

void AskForProjects(Session& session, std::vector<LegacyStack>* stacks) {
  bool told = false;
  for (LegacyStack& stack : *stacks) {
    if (!stack.project.empty()) continue;
    if (!told) {
      session.Print(
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

Status UpgradeStack(Session& session, LayoutUpgrade& upgrade, const LegacyStack& stack) {
  const SavingSignals signals(SavingSignals::After::kGoOn);
  const Result<std::unique_ptr<StackLock>> lock = upgrade.legacy().Lock(stack.name);
  if (!lock.ok()) return lock.status();
  const Result<RecoveryReport> report = Recover(upgrade.legacy(), stack.name, SealNow("kingpost"));
  if (!report.ok()) return report.status();
  for (const std::string& line : report->Lines()) session.Note(line);
  Result<CheckpointDocument> checkpoint = ReadLegacy(upgrade, stack.name);  // again: it is locked now
  if (!checkpoint.ok()) return checkpoint.status();
  checkpoint->stack = upgrade.projects().QualifiedName({kDiyOrganization, stack.project, stack.name.name});
  const Result<std::string> bytes = EncodeCheckpoint(*checkpoint, EncodeOptions());
  if (!bytes.ok()) return bytes.status();
  const Status moved = upgrade.Move(stack.name.name, stack.project, *bytes);
  return moved.ok() ? (*lock)->Release() : moved;
}

void UpgradeAll(Session& session, LayoutUpgrade& upgrade, const std::vector<LegacyStack>& stacks) {
  int upgraded = 0;
  for (const LegacyStack& stack : stacks) {
    const Status done = stack.project.empty() ? Status(Code::kFailedPrecondition,
                                                       "no project name found; run this command in a terminal "
                                                       "to be asked for it")
                                              : UpgradeStack(session, upgrade, stack);
    if (done.ok()) ++upgraded;
    if (!done.ok()) session.Warn("Skipping stack \"" + stack.name.name + "\": " + done.message());
  }
  session.Note("Upgraded " + std::to_string(upgraded) + " stack(s) to project mode");
}

Status Run(Session& session, bool yes) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<std::unique_ptr<LayoutUpgrade>> upgrade = LayoutUpgrade::Open((*store)->url());
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
