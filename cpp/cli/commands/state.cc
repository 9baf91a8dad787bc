// SPDX-License-Identifier: Apache-2.0
// state delete, protect, unprotect, taint, untaint, rename, repair: edits of the recorded state (rows 6.12, 6.14).
// Secrets stay sealed, so none of these needs the passphrase. state move, edit and upgrade have files of their own.
#include <functional>

#include "cli/commands/add_commands.h"
#include "cli/commands/state_lookup.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/terminal.h"
#include "model/broken_fields.h"
#include "model/lenient_reader.h"
#include "model/snapshot.h"

namespace kingpost {

namespace {

struct EditOptions {
  std::string stack, name;
  std::vector<std::string> urns;
  bool yes = false, all = false, force = false, target_dependents = false;
};

// Gives what to print once the state is saved.
using StateEdit = std::function<Result<std::string>(Session&, const EditOptions&, Snapshot*)>;

Status EditHeld(Session& session, const EditOptions& options, HeldStack& held, const StateEdit& edit,
                bool lenient = false) {
  Result<CheckpointDocument> checkpoint = lenient ? DecodeCheckpointLeniently(held.document())
                                                  : DecodeStack(session, held.name(), held.document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  const Result<std::string> edited = edit(session, options, &checkpoint->snapshot);
  if (!edited.ok()) return edited.status();
  const Status saved = held.Save(std::move(checkpoint->snapshot), EncodeOptions(), options.force);
  if (!saved.ok()) return saved;
  session.Print(*edited + "\n");
  return held.Release();
}

Status Run(Session& session, const EditOptions& options, const StateEdit& edit) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack);
  return held.ok() ? EditHeld(session, options, **held, edit) : held.status();
}

// The one resource with that URN. A text that is no URN may still name a recorded resource, so it is looked up first.
Result<StatePtr> FindByUrn(const Snapshot& snapshot, const std::string& urn, const std::string& no_urn) {
  Result<StatePtr> found = decisions::FindOnlyState(snapshot, urn);
  const bool nowhere = !found.ok() && found.status().code() == Code::kNotFound;
  if (nowhere && !Urn(urn).valid()) return Fail(ExitCode::kFailed, no_urn);
  return WithRemedy(std::move(found));
}

// The resources meant by URN arguments or --all.
Result<std::vector<StatePtr>> Selected(const Snapshot& snapshot, const EditOptions& options, bool live) {
  std::vector<StatePtr> selected;
  if (options.all) {
    for (const StatePtr& state : snapshot.resources) {
      if (!live || !state->pending_delete) selected.push_back(state);
    }
    return selected;
  }
  if (options.urns.empty()) return UsageError("must provide a URN or --all");
  std::string errors;
  for (const std::string& urn : options.urns) {
    Result<StatePtr> state =
        live ? FindLiveState(snapshot, urn)
             : FindByUrn(snapshot, urn, "\"" + urn + "\" is not a valid resource URN" + ListingRemedy());
    if (state.ok()) {
      selected.push_back(std::move(*state));
    } else if (live) {
      errors += (errors.empty() ? "" : "\n") + state.status().message();
    } else {
      return state.status();
    }
  }
  if (!errors.empty()) return Fail(ExitCode::kFailed, errors);
  return selected;
}

StateEdit SetFlag(bool State::*flag, bool value, const std::string& done) {
  return [=](Session&, const EditOptions& options, Snapshot* snapshot) -> Result<std::string> {
    const Result<std::vector<StatePtr>> selected = Selected(*snapshot, options, true);
    if (!selected.ok()) return selected.status();
    for (const StatePtr& state : *selected) {
      State next = *state;
      next.*flag = value;
      decisions::Replace(state, std::move(next), snapshot);
    }
    // Programs look for these words, which know no singular.
    return (options.all ? "All" : std::to_string(selected->size())) + " resources " + done;
  };
}

// How the command gets past what is refused.
Status WithFlags(const Status& refused) {
  const auto* refusal = refused.detail<decisions::ForgetRefusal>();
  if (!refusal) return refused;
  const std::string urn = refusal->resource->urn.str();
  if (refusal->dependents.empty()) {
    return Fail(ExitCode::kFailed, urn +
                                       " can't be safely deleted because it is protected. Re-run this command with "
                                       "--force to force deletion, or lift the protection with 'state unprotect' "
                                       "first");
  }
  std::string message = urn + " can't be safely deleted because the following resources depend on it:";
  for (const StatePtr& dependent : refusal->dependents) {
    const std::string name = "\"" + Printable(dependent->urn.name()) + "\"";
    message += "\n * " + PadRight(name, 15) + " (" + dependent->urn.str() + ")";
  }
  return Fail(ExitCode::kFailed, message + "\n\nDelete those resources first or pass --target-dependents.");
}

Result<std::string> Delete(Session& session, const EditOptions& options, Snapshot* snapshot) {
  if (options.all && !options.urns.empty()) {
    return UsageError("cannot specify a resource URN when deleting all resources");
  }
  const Result<std::vector<StatePtr>> selected = Selected(*snapshot, options, false);
  if (!selected.ok()) return selected.status();
  std::vector<Urn> protected_ones;
  decisions::ForgetOptions how;
  how.protected_too = options.force;
  how.dependents_too = options.target_dependents;
  how.protected_ones = &protected_ones;
  const Status forgotten = decisions::Forget(*selected, how, snapshot);
  for (const Urn& urn : protected_ones) {
    session.Warn("deleting protected resource " + urn.str() + " due to presence of --force");
  }
  if (!forgotten.ok()) return WithFlags(forgotten);
  const size_t count = selected->size();
  if (options.all) return std::string("Resources deleted");
  return count == 1 ? std::string("Resource deleted") : std::to_string(count) + " resources deleted";
}

Result<std::string> Rename(const EditOptions& options, Snapshot* snapshot) {
  if (options.urns.size() != 1 || options.name.empty()) return UsageError("a URN and a new name are needed");
  const Result<StatePtr> state = FindByUrn(*snapshot, options.urns[0], "The provided input URN is not valid");
  if (!state.ok()) return state.status();
  const Status renamed = decisions::Rename(*state, options.name, snapshot);
  return renamed.ok() ? Result<std::string>("Resource renamed") : renamed;
}

Result<std::string> Repair(Session& session, const EditOptions&, Snapshot* snapshot) {
  std::vector<std::string> changes;
  RepairBrokenFields(snapshot, &changes);
  for (const std::string& change : changes) session.Note(change);
  if (changes.empty() && VerifyIntegrity(*snapshot).ok())
    return std::string("The snapshot is already valid; skipping repair");
  if (const Status repaired = decisions::Repair(snapshot); !repaired.ok()) return repaired;
  return std::string("State repaired successfully");
}

// Repairs the checkpoint, and first takes in the rest of an interrupted operation, which no other command can.
Status RunRepair(Session& session, const EditOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  HoldOptions hold;
  hold.repair = decisions::Repair;
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack, hold);
  if (!held.ok()) return held.status();
  if (!(*held)->repaired()) return EditHeld(session, options, **held, Repair, true);
  session.Print("State repaired successfully\n");
  return (*held)->Release();
}

void AddEditCommand(Commands* commands, const std::string& word, const std::string& summary, const StateEdit& edit,
                    const std::function<void(Flags&, EditOptions*)>& more) {
  commands->push_back({"state " + word, summary, [=](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<EditOptions>();
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Switch("-y,--yes", &options->yes, "Do not ask");
                         more(flags, options.get());
                         return [=](Session& session) { return Run(session, *options, edit); };
                       }});
}

}  // namespace

void AddStateCommands(Commands* commands) {
  const auto urns = [](Flags& flags, EditOptions* options) {
    flags.Arguments("URN", &options->urns, "The resources");
    flags.Switch("--all", &options->all, "All resources");
  };
  const auto delete_flags = [urns](Flags& flags, EditOptions* options) {
    urns(flags, options);
    flags.Switch("--force", &options->force, "Delete protected resources too");
    flags.Switch("--target-dependents", &options->target_dependents, "Delete what depends on them too");
  };
  const auto rename_flags = [](Flags& flags, EditOptions* options) {
    flags.Arguments("URN", &options->urns, "The resource and its new name");
  };
  const StateEdit rename = [](Session&, const EditOptions& options, Snapshot* snapshot) {
    EditOptions split = options;
    if (split.urns.size() == 2) {
      split.name = split.urns.back();
      split.urns.pop_back();
    }
    return Rename(split, snapshot);
  };
  AddEditCommand(commands, "delete", "Forget resources without deleting them", Delete, delete_flags);
  AddEditCommand(commands, "protect", "Protect resources from deletion", SetFlag(&State::protect, true, "protected"),
                 urns);
  AddEditCommand(commands, "unprotect", "Lift the protection of resources",
                 SetFlag(&State::protect, false, "unprotected"), urns);
  AddEditCommand(commands, "taint", "Have resources replaced by the next update",
                 SetFlag(&State::taint, true, "tainted"), urns);
  AddEditCommand(commands, "untaint", "Take back a taint", SetFlag(&State::taint, false, "untainted"), urns);
  AddEditCommand(commands, "rename", "Give a resource another name", rename, rename_flags);
  commands->push_back({"state repair", "Order the state, drop dangling references, mend what cannot be read",
                       [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<EditOptions>();
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Switch("-y,--yes", &options->yes, "Do not ask");
                         return [=](Session& session) { return RunRepair(session, *options); };
                       }});
  AddStateGetCommand(commands);
  AddStateRecoverCommand(commands);
  AddStateMoveCommand(commands);
  AddStateEditCommand(commands);
  AddStateUpgradeCommand(commands);
  AddStateMigrateCommand(commands);
}

}  // namespace kingpost
