// SPDX-License-Identifier: Apache-2.0
// See move_resources.h. The source is walked once in its order, so whatever arrives in the destination finds there what
// it refers to.
#include "decisions/move_resources.h"

#include <unordered_map>

#include "decisions/move_selection.h"
#include "model/value_rewrite.h"

namespace kingpost {
namespace {

Status Refuse(std::string message) { return Status(Code::kFailedPrecondition, std::move(message)); }

// As resources name a provider.
std::string ReferenceTo(const State& provider) {
  const std::string id = provider.id.empty() ? std::string(kUnknownString) : provider.id;
  return ProviderReference{provider.urn, id}.str();
}

// The extensions that `resources` refer to.
Result<std::map<std::string, std::string>> ExtensionsOf(const std::vector<StatePtr>& resources,
                                                        const std::map<std::string, std::string>& own,
                                                        const std::map<std::string, std::string>& others) {
  std::map<std::string, std::string> used;
  for (const StatePtr& state : resources) {
    const std::string& ref = state->extension_ref;
    if (ref.empty()) continue;
    const auto& holder = own.count(ref) ? own : others;
    const auto found = holder.find(ref);
    if (found == holder.end()) {
      return Refuse("source snapshot is missing the extension " + ref + " referenced by " + state->urn.str());
    }
    used.insert(*found);
  }
  return used;
}

// The resources that arrive in the destination, under their new names.
class Arrival {
 public:
  Arrival(Snapshot* dest, const MoveRequest& request, const Reveal& reveal_source, const Reveal& reveal_dest)
      : dest_(*dest), request_(request), reveal_source_(reveal_source), reveal_dest_(reveal_dest) {
    EnsureRoot();
    for (const StatePtr& state : dest_.resources) there_[state->urn].push_back(state);
  }

  Status Move(const StatePtr& old_state, std::vector<BrokenReference>* broken) {
    const Result<StatePtr> next = Adapt(old_state, broken);
    if (!next.ok()) return next.status();
    if (there_.count((*next)->urn)) {
      return Refuse("resource " + (*next)->urn.str() + " already exists in destination stack");
    }
    Add(*old_state, *next);
    return Status::Ok();
  }

  // The provider itself stays in the source.
  Status CopyProvider(const StatePtr& old_state, std::vector<BrokenReference>* broken) {
    copied_.insert(old_state->urn);
    std::vector<BrokenReference> broken_if_copied;
    const Result<StatePtr> next = Adapt(old_state, &broken_if_copied);
    if (!next.ok()) return next.status();
    Result<StatePtr> present = SameProvider(**next);
    if (!present.ok()) return present.status();
    if (*present) {
      Know(*old_state, **present);
      return Status::Ok();
    }
    broken->insert(broken->end(), broken_if_copied.begin(), broken_if_copied.end());
    Add(*old_state, *next);
    return Status::Ok();
  }

 private:
  void EnsureRoot() {
    for (const StatePtr& state : dest_.resources) {
      if (state->type != kRootStackType || !state->parent.empty()) continue;
      root_ = state->urn;
      return;
    }
    State root;
    root.type = std::string(kRootStackType);
    root.urn = Urn::Make(request_.dest_stack, request_.dest_project, "", root.type,
                         request_.dest_project + "-" + request_.dest_stack);
    root_ = root.urn;
    dest_.resources.insert(dest_.resources.begin(), std::make_shared<const State>(std::move(root)));
  }

  Result<StatePtr> Adapt(const StatePtr& sealed, std::vector<BrokenReference>* broken) const {
    const Result<StatePtr> revealed = reveal_source_(sealed);
    if (!revealed.ok()) return revealed.status();
    const State& old_state = **revealed;
    State next = old_state;
    ClearReferences(&next);
    next.parent = root_;
    ForEachReference(old_state, [&](ReferenceKind kind, const Urn& urn, const std::string& key) {
      const auto found = names_.find(urn);
      if (kind == ReferenceKind::kParent) {
        // As the reference has it, a child of a provider follows its parent only if that moves too.
        if (found != names_.end() && !copied_.count(urn)) next.parent = found->second;
      } else if (found != names_.end()) {
        AddReference(kind, found->second, key, &next);
      } else {
        broken->push_back({old_state.urn, kind, key, urn});
      }
    });
    next.urn = Urn::Make(request_.dest_stack, request_.dest_project, next.parent.qualified_type(), old_state.urn.type(),
                         old_state.urn.name());
    if (const auto provider = providers_.find(old_state.provider); provider != providers_.end()) {
      next.provider = provider->second;
    }
    if (const auto owner = names_.find(old_state.view_of); owner != names_.end()) next.view_of = owner->second;
    next.inputs = Adapt(old_state.inputs);
    next.outputs = Adapt(old_state.outputs);
    next.replacement_trigger = Rewrite(old_state.replacement_trigger, [this](const Value& v) { return Adapt(v); });
    return std::make_shared<const State>(std::move(next));
  }

  PropertyMap Adapt(const PropertyMap& properties) const {
    return Rewrite(properties, [this](const Value& v) { return Adapt(v); });
  }

  // The source's ciphertexts mean nothing to the destination's secrets manager.
  Value Adapt(const Value& value) const {
    if (value.kind() == Value::Kind::kSecret) {
      const SecretData& secret = value.as_secret();
      return secret.ciphertext.empty() || secret.sealed ? value : Value::Secret(secret.element);
    }
    if (!value.is_reference()) return value;
    const auto found = names_.find(value.as_reference().urn);
    if (found == names_.end()) return value;
    ResourceReference reference = value.as_reference();
    reference.urn = found->second;
    return Value::Reference(std::move(reference));
  }

  // A provider of the destination that serves as well as `copy`, or null. Fails if its place is taken.
  Result<StatePtr> SameProvider(const State& copy) const {
    const auto found = there_.find(copy.urn);
    if (found == there_.end()) return StatePtr();
    for (const StatePtr& state : found->second) {
      if (state->id == copy.id) return state;
    }
    for (const StatePtr& state : found->second) {
      if (state->pending_delete) continue;
      const Result<StatePtr> revealed = reveal_dest_(state);
      if (!revealed.ok()) return revealed.status();
      if (DeepEqual((*revealed)->inputs, copy.inputs)) return state;
      return Refuse("provider " + copy.urn.str() +
                    " already exists in destination stack, with other inputs; give one of the two another name");
    }
    return StatePtr();
  }

  void Add(const State& old_state, const StatePtr& next) {
    Know(old_state, *next);
    dest_.resources.push_back(next);
  }

  void Know(const State& old_state, const State& next) {
    names_[old_state.urn] = next.urn;
    if (old_state.is_provider()) providers_[ReferenceTo(old_state)] = ReferenceTo(next);
  }

  Snapshot& dest_;
  const MoveRequest& request_;
  const Reveal& reveal_source_;
  const Reveal& reveal_dest_;
  Urn root_;
  std::unordered_map<Urn, std::vector<StatePtr>> there_;  // before anything arrived
  std::unordered_map<Urn, Urn> names_;                    // of what arrived, or was there already
  std::unordered_set<Urn> copied_;                        // providers that also stay
  std::unordered_map<std::string, std::string> providers_;
};

// The resources that stay, without references to those that leave; Prune corrects the parent.
StatePtr Stay(const StatePtr& state, const std::unordered_set<Urn>& moved, std::vector<BrokenReference>* broken) {
  State next = *state;
  ClearReferences(&next);
  ForEachReference(*state, [&](ReferenceKind kind, const Urn& urn, const std::string& key) {
    if (kind != ReferenceKind::kParent && moved.count(urn)) {
      broken->push_back({state->urn, kind, key, urn});
    } else {
      AddReference(kind, urn, key, &next);
    }
  });
  return std::make_shared<const State>(std::move(next));
}

}  // namespace

Result<MoveResult> MoveResources(const Snapshot& source, const Snapshot& dest, const MoveRequest& request,
                                 const Reveal& reveal_source, const Reveal& reveal_dest) {
  const Result<MoveSelection> selection =
      SelectResourcesToMove(source.resources, request.urns, request.include_parents);
  if (!selection.ok()) return selection.status();

  MoveResult result;
  result.unknown = selection->unknown;
  result.source = source;
  result.dest = dest;
  if (selection->moved.empty()) return result;

  Arrival arrival(&result.dest, request, reveal_source, reveal_dest);
  std::vector<StatePtr> staying;
  for (const StatePtr& state : source.resources) {
    Status arrived;
    if (selection->moved.count(state->urn)) {
      result.moved.push_back(state->urn);
      arrived = arrival.Move(state, &result.broken_in_dest);
    } else {
      staying.push_back(Stay(state, selection->moved, &result.broken_in_source));
      if (selection->copied_providers.count(ReferenceTo(*state))) {
        arrived = arrival.CopyProvider(state, &result.broken_in_dest);
      }
    }
    if (!arrived.ok()) return arrived;
  }
  std::vector<PruneResult> lost_parents;
  result.source.resources = Prune(staying, &lost_parents);

  Result<std::map<std::string, std::string>> dest_extensions =
      ExtensionsOf(result.dest.resources, dest.extensions, source.extensions);
  if (!dest_extensions.ok()) return dest_extensions.status();
  Result<std::map<std::string, std::string>> source_extensions =
      ExtensionsOf(result.source.resources, source.extensions, dest.extensions);
  if (!source_extensions.ok()) return source_extensions.status();
  result.dest.extensions = std::move(*dest_extensions);
  result.source.extensions = std::move(*source_extensions);
  return result;
}

}  // namespace kingpost
