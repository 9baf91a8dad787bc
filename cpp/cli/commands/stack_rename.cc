// SPDX-License-Identifier: Apache-2.0
// stack rename: every URN names the stack, so every reference follows, also those inside property values (row 6.15).
#include <filesystem>

#include "cli/commands/shared.h"
#include "cli/exit_code.h"
#include "cli/signals.h"
#include "cli/stack_access.h"
#include "model/snapshot.h"

namespace kingpost {

namespace {

class Renamer {
 public:
  Renamer(const StackName& from, const StackName& to) : from_(from), to_(to) {}

  Urn operator()(const Urn& urn) const {
    if (!urn.valid() || urn.stack() != from_.name || urn.project() != from_.project) return urn;
    return urn.RenameStack(to_.name).RenameProject(to_.project);
  }
  void operator()(std::vector<Urn>* urns) const {
    for (Urn& urn : *urns) urn = (*this)(urn);
  }
  PropertyMap operator()(const PropertyMap& properties) const {
    return Rewrite(properties, [this](const Value& value) {
      if (!value.is_reference()) return value;
      ResourceReference reference = value.as_reference();
      reference.urn = (*this)(reference.urn);
      return Value::Reference(std::move(reference));
    });
  }

  StatePtr operator()(const StatePtr& state) const {
    State next = *state;
    next.urn = (*this)(state->urn);
    next.parent = (*this)(state->parent);
    next.deleted_with = (*this)(state->deleted_with);
    next.view_of = (*this)(state->view_of);
    (*this)(&next.dependencies);
    (*this)(&next.replace_with);
    (*this)(&next.aliases);
    for (auto& [key, urns] : next.property_dependencies) (*this)(&urns);
    if (!next.provider.empty()) {
      if (Result<ProviderReference> provider = ProviderReference::Parse(next.provider); provider.ok()) {
        provider->urn = (*this)(provider->urn);
        next.provider = provider->str();
      }
    }
    next.inputs = (*this)(state->inputs);
    next.outputs = (*this)(state->outputs);
    return std::make_shared<const State>(std::move(next));
  }

 private:
  const StackName& from_;
  const StackName& to_;
};

// The root stack's own name is PROJECT-STACK.
StatePtr RenameRoot(const StatePtr& state, const StackName& to) {
  if (state->type != kRootStackType) return state;
  State next = *state;
  next.aliases = {state->urn};
  next.urn = state->urn.Rename(to.project + "-" + to.name);
  return std::make_shared<const State>(std::move(next));
}

Status MoveSettings(Session& session, const StackName& from, const StackName& to) {
  if (!session.has_project()) return Status::Ok();
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  const std::string old_file = (*project)->StackConfigFile(from.name);
  std::error_code error;
  if (!std::filesystem::exists(old_file, error)) return Status::Ok();
  std::filesystem::rename(old_file, (*project)->StackConfigFile(to.name), error);
  return error ? Fail(ExitCode::kFailed, "could not rename the settings file " + old_file + ": " + error.message())
               : Status::Ok();
}

}  // namespace

Status RenameStack(Session& session, const StackName& from, const StackName& to) {
  const Result<StateStore*> store = session.store();
  const Result<bool> taken = (*store)->Exists(to);
  if (!taken.ok()) return taken.status();
  if (*taken) return Fail(ExitCode::kFailed, "a stack named " + (*store)->QualifiedName(to) + " already exists");
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, from);
  if (!held.ok()) return held.status();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, from, (*held)->document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  const SavingSignals signals(SavingSignals::After::kGoOn);
  const Result<std::unique_ptr<StackLock>> target = (*store)->Lock(to);  // nobody creates it meanwhile
  if (!target.ok()) return target.status();

  const Renamer rename(from, to);
  Snapshot& snapshot = checkpoint->snapshot;
  for (StatePtr& state : snapshot.resources) state = RenameRoot(rename(state), to);
  snapshot.resources = NormalizeUrns(snapshot.resources);
  for (PendingOperation& pending : snapshot.pending_operations) pending.resource = rename(pending.resource);
  checkpoint->stack = (*store)->QualifiedName(to);
  const Result<std::string> bytes = EncodeCheckpoint(*checkpoint, EncodeOptions());
  if (!bytes.ok()) return bytes.status();

  const bool was_selected = session.selected() == (*store)->QualifiedName(from);
  const Status renamed = (*held)->lock().WhileHeld([&] { return (*store)->Rename(from, to, *bytes); });
  if (!renamed.ok()) return renamed;
  if (const Status moved = MoveSettings(session, from, to); !moved.ok()) return moved;
  if (was_selected) {
    if (const Status selected = session.Select(to); !selected.ok()) return selected;
  }
  session.Print("Renamed " + from.name + " to " + to.name + "\n");
  const Status released = (*target)->Release();
  return released.ok() ? (*held)->Release() : released;
}

}  // namespace kingpost
