// SPDX-License-Identifier: Apache-2.0
// state move: resources go from one stack to another without being touched (row 6.13).
//
// Both stacks are held. The destination is saved first: if the process dies between the two, the resources are in both
// stacks, and none is lost.
#include "base/command_name.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "decisions/move_resources.h"

namespace kingpost {

namespace {

struct MoveOptions {
  std::string source, dest;
  std::vector<std::string> urns;
  bool yes = false, include_parents = false;
};

// One end of the move.
struct End {
  StackName name;
  std::string title;  // as messages call it
  std::unique_ptr<HeldStack> held;
  Snapshot snapshot;
  std::shared_ptr<SecretsManager> secrets;  // null: none yet
};

Result<End> OpenEnd(Session& session, const StackName& name) {
  End end;
  end.name = name;
  end.title = (*session.store())->QualifiedName(name);
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, name);
  if (!held.ok()) return held.status();
  end.held = std::move(*held);
  if (end.held->document().empty()) return end;
  Result<CheckpointDocument> checkpoint = DecodeStack(session, name, end.held->document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  end.snapshot = std::move(checkpoint->snapshot);
  Result<std::shared_ptr<SecretsManager>> secrets = SecretsOfDocument(session, name, end.held->document());
  if (!secrets.ok()) return secrets.status();
  end.secrets = std::move(*secrets);
  return end;
}

// A stack that nothing was deployed to has no secrets manager in its state; its settings have, or are given one.
Status EnsureSecrets(Session& session, End* dest) {
  if (dest->secrets) return Status::Ok();
  const Result<const Project*> project = session.has_project() ? session.project() : Status(Code::kNotFound, "");
  if (!project.ok() || (*project)->name != dest->name.project) {
    return Fail(ExitCode::kFailed,
                "destination stack has no secret manager. To move resources either initialize the stack with a secret "
                "manager, or run " +
                    QuotedCommand("state move") + " from the destination project directory");
  }
  Result<std::shared_ptr<SecretsManager>> secrets = SecretsOfStack(session, dest->name, dest->held->document());
  if (!secrets.ok()) return secrets.status();
  dest->secrets = std::move(*secrets);
  return Status::Ok();
}

Reveal RevealWith(const std::shared_ptr<SecretsManager>& secrets) {
  return [secrets](const StatePtr& state) -> Result<StatePtr> {
    EncodeOptions encode;
    encode.secrets = secrets.get();
    const Result<std::string> json = EncodeState(*state, encode);
    if (!json.ok()) return json.status();
    DecodeOptions decode;
    decode.secrets = secrets.get();
    return DecodeState(*json, decode);
  };
}

std::string Describe(const BrokenReference& broken) {
  const std::string& from = broken.from.str();
  const std::string& to = broken.to.str();
  switch (broken.kind) {
    case ReferenceKind::kPropertyDependency:
      return from + " (" + broken.key + ") has a property dependency on " + to;
    case ReferenceKind::kDeletedWith:
      return from + " is marked as deleted with " + to;
    case ReferenceKind::kReplaceWith:
      return from + " is marked as replace with " + to;
    case ReferenceKind::kParent:  // resources without their parent are given another
    case ReferenceKind::kDependency:
      break;
  }
  return from + " has a dependency on " + to;
}

void PrintBroken(Session& session, const std::string& headline, const std::vector<BrokenReference>& broken) {
  if (broken.empty()) return;
  std::string text = session.painter().Paint(Style::kYellow, headline) + "\n\n";
  for (const BrokenReference& reference : broken) text += "  - " + Printable(Describe(reference), false) + "\n";
  session.Say(text + "\n");
}

void PrintPlan(Session& session, const MoveResult& move, const End& source, const End& dest) {
  std::string text = session.painter().Paint(Style::kBold, "Planning to move the following resources from " +
                                                               source.title + " to " + dest.title + ":") +
                     "\n\n";
  for (const Urn& urn : move.moved) text += "  - " + Printable(urn.str(), false) + "\n";
  session.Say(text + "\n");
  PrintBroken(session,
              "The following resources remaining in " + source.title + " have dependencies on resources moved to " +
                  dest.title + ":",
              move.broken_in_source);
  PrintBroken(session,
              "The following resources being moved to " + dest.title + " have dependencies on resources in " +
                  source.title + ":",
              move.broken_in_dest);
  if (move.broken_in_source.empty() && move.broken_in_dest.empty()) return;
  session.Say(
      "If you go ahead with moving these dependencies, it will be necessary to create the appropriate inputs and "
      "outputs in the program for the stack the resources are moved to.\n\n");
}

Status CheckIntegrity(const Snapshot& snapshot, const std::string& which) {
  return VerifyIntegrity(snapshot).Wrap("failed to verify integrity of " + which + " snapshot");
}

// The remaining work of the user if the destination was saved, the source was not, and the undo failed.
std::string DeleteCommands(const MoveResult& move, const End& source) {
  std::string text;
  for (auto urn = move.moved.rbegin(); urn != move.moved.rend(); ++urn) {  // dependents first
    text += "\n    " + std::string(CommandName()) + " state delete --stack " + source.title + " '" + urn->str() + "'";
  }
  return text;
}

Status SaveBoth(const MoveResult& move, End* source, End* dest) {
  EncodeOptions for_dest;
  for_dest.secrets = dest->secrets.get();
  if (const Status saved = dest->held->Save(move.dest, for_dest); !saved.ok()) {
    return Fail(ExitCode::kFailed, "failed to save destination snapshot: " + saved.message() +
                                       "\n\nNone of the resources have been moved, it is safe to try again");
  }
  const Status saved = source->held->Save(move.source, EncodeOptions());
  if (saved.ok()) return saved;
  const std::string failed = "failed to save source snapshot: " + saved.message() + "\n\n";
  if (dest->held->Save(dest->snapshot, for_dest).ok()) {
    return Fail(ExitCode::kFailed,
                failed + "None of the resources have been moved.  Please fix the error and try again");
  }
  return Fail(ExitCode::kFailed, failed +
                                     "The resources being moved have already been appended to the destination stack, "
                                     "but will still also be in the source stack.  Please remove the resources from "
                                     "the source stack manually using the following commands:" +
                                     DeleteCommands(move, *source));
}

Result<StackName> DestinationOf(Session& session, const MoveOptions& options, const StackName& source) {
  Result<StackName> name = session.FindStack(options.dest);
  if (!name.ok()) return name;
  if (*name == source) return UsageError("the source and the destination are the same stack, " + source.str());
  if ((*session.store())->QualifiedName(*name) == name->name) {
    return Fail(ExitCode::kFailed, "cannot get project name. Please upgrade your project with " +
                                       QuotedCommand("state upgrade") + " to solve this.");
  }
  return name;
}

Status NothingToMove(const std::string& source) {
  return Fail(ExitCode::kFailed, "no resources found to move\nTo list the resource URNs in the stack, run " +
                                     QuotedCommand("stack --show-urns --stack " + source) +
                                     "; to inspect the full state, run " +
                                     QuotedCommand("stack export --stack " + source) + ".");
}

Status FinishMove(Session& session, const MoveResult& move, End* source, End* dest) {
  if (const Status whole = CheckIntegrity(move.dest, "destination"); !whole.ok()) return whole;
  if (const Status whole = CheckIntegrity(move.source, "source"); !whole.ok()) return whole;
  if (const Status saved = SaveBoth(move, source, dest); !saved.ok()) return saved;
  const std::string done = "Successfully moved resources from " + source->title + " to " + dest->title;
  session.Say(session.painter().Paint(Style::kBold, done) + "\n");
  const Status released = dest->held->Release();
  return released.ok() ? source->held->Release() : released;
}

Status Run(Session& session, const MoveOptions& options) {
  if (options.source.empty() && options.dest.empty()) {
    return UsageError("at least one of --source or --dest must be provided");
  }
  if (options.urns.empty()) return UsageError("the URN of a resource to move is missing");
  const Result<StackName> source_name = session.FindStack(options.source);
  if (!source_name.ok()) return source_name.status();
  const Result<StackName> dest_name = DestinationOf(session, options, *source_name);
  if (!dest_name.ok()) return dest_name.status();

  Result<End> source = OpenEnd(session, *source_name);
  if (!source.ok()) return source.status();
  Result<End> dest = OpenEnd(session, *dest_name);
  if (!dest.ok()) return dest.status();
  const bool is_recorded = source->secrets != nullptr;  // also if nothing was deployed yet
  if (source->snapshot.resources.empty() && !is_recorded)
    return Fail(ExitCode::kFailed, "source stack has no resources");
  if (const Status whole = CheckIntegrity(dest->snapshot, "destination"); !whole.ok()) return whole;
  if (const Status whole = CheckIntegrity(source->snapshot, "source"); !whole.ok()) return whole;
  if (const Status ready = EnsureSecrets(session, &*dest); !ready.ok()) return ready;

  const MoveRequest request{options.urns, options.include_parents, dest_name->name, dest_name->project};
  Result<MoveResult> move =
      MoveResources(source->snapshot, dest->snapshot, request, RevealWith(source->secrets), RevealWith(dest->secrets));
  if (!move.ok()) return move.status();
  for (const std::string& urn : move->unknown) session.Warn("Resource " + urn + " not found in source stack");
  if (move->moved.empty()) return NothingToMove(source->title);

  PrintPlan(session, *move, *source, *dest);
  if (!options.yes) {
    const Result<bool> confirmed = Confirm(session, "Do you want to perform this move? Type 'yes' to go on: ", "yes");
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) {
      session.Print("Confirmation denied, not proceeding with the state move\n");
      return Status::Ok();
    }
  }
  return FinishMove(session, *move, &*source, &*dest);
}

}  // namespace

void AddStateMoveCommand(Commands* commands) {
  commands->push_back({"state move",
                       "Move resources from one stack to another",
                       [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<MoveOptions>();
                         flags.Text("--source", &options->source, "Where they are; the selected stack by default");
                         flags.Text("--dest", &options->dest, "Where they go; the selected stack by default");
                         flags.Switch("--include-parents", &options->include_parents,
                                      "Move all the parents of the resources as well");
                         flags.Switch("-y,--yes", &options->yes, "Do not ask");
                         flags.Arguments("URN", &options->urns, "The resources");
                         return [options](Session& session) { return Run(session, *options); };
                       },
                       {"mv"}});
}

}  // namespace kingpost
