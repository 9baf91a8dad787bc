// SPDX-License-Identifier: Apache-2.0
#include "operation/stack_rename.h"

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
    for (auto& [key, urns] : next.property_dependencies.Own()) (*this)(&urns);
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

}  // namespace

Snapshot RenamedSnapshot(Snapshot snapshot, const StackName& from, const StackName& to) {
  const Renamer rename(from, to);
  for (StatePtr& state : snapshot.resources) state = RenameRoot(rename(state), to);
  snapshot.resources = NormalizeUrns(snapshot.resources);
  for (PendingOperation& pending : snapshot.pending_operations) pending.resource = rename(pending.resource);
  return snapshot;
}

Status RenameHeldStack(HeldStack& held, CheckpointDocument checkpoint, const StackName& to,
                       const std::function<Status()>& follow) {
  StateStore& store = held.store();
  const StackName from = held.name();
  const Result<bool> taken = store.Exists(to);
  if (!taken.ok()) return taken.status();
  if (*taken) return Status(Code::kAlreadyExists, "a stack named '" + store.QualifiedName(to) + "' already exists");
  const OperationCaller::Scope saving = held.context().caller->Saving(OperationCaller::AfterSignal::kGoOn);
  const Result<std::unique_ptr<StackLock>> target = store.Lock(to);
  if (!target.ok()) return target.status();

  checkpoint.snapshot = RenamedSnapshot(std::move(checkpoint.snapshot), from, to);
  checkpoint.stack = store.QualifiedName(to);
  const Result<std::string> bytes = EncodeCheckpoint(checkpoint, EncodeOptions());
  if (!bytes.ok()) return bytes.status();
  const Status renamed = held.lock().WhileHeld([&] { return store.Rename(from, to, *bytes); });
  if (!renamed.ok()) return renamed;
  if (const Status followed = follow(); !followed.ok()) return followed;
  const Status released = (*target)->Release();
  return released.ok() ? held.Release() : released;
}

}  // namespace kingpost
