// SPDX-License-Identifier: Apache-2.0
// state delete, protect, unprotect, taint, untaint, rename, repair: edits of the recorded state (rows 6.12, 6.14).
// Secrets stay sealed, so none of these needs the passphrase. state move, edit and upgrade have files of their own.
#include <algorithm>
#include <functional>
#include <unordered_set>

#include "cli/commands/shared.h"
#include "cli/commands/state_lookup.h"
#include "cli/display/terminal.h"
#include "cli/exit_code.h"
#include "cli/stack_access.h"
#include "model/broken_fields.h"
#include "model/dependency_graph.h"
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
    Result<StatePtr> state = live ? FindLiveState(snapshot, urn) : FindOnlyState(snapshot, urn);
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

void Replace(Snapshot* snapshot, const StatePtr& old_state, State next) {
  for (StatePtr& state : snapshot->resources) {
    if (state != old_state) continue;
    state = std::make_shared<const State>(std::move(next));
    return;
  }
}

StateEdit SetFlag(bool State::*flag, bool value, const std::string& done) {
  return [=](Session&, const EditOptions& options, Snapshot* snapshot) -> Result<std::string> {
    const Result<std::vector<StatePtr>> selected = Selected(*snapshot, options, true);
    if (!selected.ok()) return selected.status();
    for (const StatePtr& state : *selected) {
      State next = *state;
      next.*flag = value;
      Replace(snapshot, state, std::move(next));
    }
    return (options.all ? "All" : std::to_string(selected->size())) +
           (!options.all && selected->size() == 1 ? " resource " : " resources ") + done;
  };
}

Status RefuseProtected(Session& session, const State& state, const EditOptions& options) {
  if (!state.protect) return Status();
  if (options.force) {
    session.Warn("deleting protected resource " + state.urn.str() + " due to presence of --force");
    return Status();
  }
  return Fail(ExitCode::kFailed, state.urn.str() +
                                     " can't be safely deleted because it is protected. Re-run this command with "
                                     "--force to force deletion, or lift the protection with 'state unprotect' first");
}

Status RefuseDependents(const State& state, const std::vector<StatePtr>& dependents) {
  std::string message = state.urn.str() + " can't be safely deleted because the following resources depend on it:";
  for (const StatePtr& dependent : dependents) {
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
  const DependencyGraph graph(snapshot->resources);
  std::unordered_set<const State*> doomed;
  for (const StatePtr& state : *selected) doomed.insert(state.get());
  for (const StatePtr& state : *selected) {
    const Status allowed = RefuseProtected(session, *state, options);
    if (!allowed.ok()) return allowed;
    std::vector<StatePtr> dependents;
    for (const StatePtr& dependent : graph.DependingOn(state, true)) {
      if (doomed.count(dependent.get()) == 0) dependents.push_back(dependent);
    }
    if (!dependents.empty() && !options.target_dependents) return RefuseDependents(*state, dependents);
    for (const StatePtr& dependent : dependents) {
      const Status also = RefuseProtected(session, *dependent, options);
      if (!also.ok()) return also;
      doomed.insert(dependent.get());
    }
  }
  std::vector<StatePtr> left;
  for (const StatePtr& state : snapshot->resources) {
    if (doomed.count(state.get()) == 0) left.push_back(state);
  }
  snapshot->resources = std::move(left);
  const size_t count = selected->size();
  if (options.all) return std::string("Resources deleted");
  return count == 1 ? std::string("Resource deleted") : std::to_string(count) + " resources deleted";
}

Result<std::string> Rename(const EditOptions& options, Snapshot* snapshot) {
  if (options.urns.size() != 1 || options.name.empty()) return UsageError("a URN and a new name are needed");
  const Result<StatePtr> state = FindOnlyState(*snapshot, options.urns[0]);
  if (!state.ok()) return state.status();
  const std::string done = "Resource renamed";
  if ((*state)->urn.name() == options.name) return done;
  State next = **state;
  next.urn = (*state)->urn.Rename(options.name);
  for (const StatePtr& other : snapshot->resources) {
    if (other->urn == next.urn) return Fail(ExitCode::kFailed, "there is already a resource " + next.urn.str());
  }
  // As if the program had renamed it with an alias: whatever refers to the old URN follows.
  next.aliases = {(*state)->urn};
  std::vector<StatePtr>& resources = snapshot->resources;
  const auto place = std::find(resources.begin(), resources.end(), *state) - resources.begin();
  resources = DropEmptyPropertyDependencies(std::move(resources));  // of all others, as the reference does
  resources[place] = std::make_shared<const State>(std::move(next));
  resources = NormalizeUrns(resources);
  return done;
}

Status RepairSnapshot(Snapshot* snapshot) {
  Result<std::vector<StatePtr>> sorted = TopologicalSort(snapshot->resources);
  if (!sorted.ok()) return sorted.status();
  // [A is recorded twice, and the parent of one of them is gone]: that one gets a name of its own.
  std::vector<PruneResult> pruned;
  snapshot->resources = DropEmptyPropertyDependencies(Prune(*sorted, &pruned));
  return VerifyIntegrity(*snapshot).Wrap("the state could not be repaired");
}

Result<std::string> Repair(Session& session, const EditOptions&, Snapshot* snapshot) {
  std::vector<std::string> changes;
  MendBrokenFields(snapshot, &changes);
  for (const std::string& change : changes) session.Note(change);
  if (changes.empty() && VerifyIntegrity(*snapshot).ok())
    return std::string("The snapshot is already valid; skipping repair");
  if (const Status repaired = RepairSnapshot(snapshot); !repaired.ok()) return repaired;
  return std::string("State repaired successfully");
}

// Of the checkpoint, and first of what an interrupted operation left, which nothing else can take in.
Status RunRepair(Session& session, const EditOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  HoldOptions hold;
  hold.repair = RepairSnapshot;
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
}

}  // namespace kingpost
