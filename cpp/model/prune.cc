// SPDX-License-Identifier: Apache-2.0
// The repair the user asks for: what refers to nothing refers no more (row 7.21).
#include <unordered_map>

#include "model/references.h"
#include "model/snapshot.h"

namespace kingpost {
namespace {

const char* KindName(ReferenceKind kind) {
  switch (kind) {
    case ReferenceKind::kParent:
      return "parent";
    case ReferenceKind::kDependency:
      return "dependency";
    case ReferenceKind::kPropertyDependency:
      return "property-dependency";
    case ReferenceKind::kDeletedWith:
      return "deleted-with";
    case ReferenceKind::kReplaceWith:
      return "replace-with";
  }
  return "";
}

// Walks the list once; knows what every earlier URN is called now.
class Pruner {
 public:
  StatePtr Visit(const StatePtr& old, PruneResult* result) {
    auto next = std::make_shared<State>(*old);
    ClearReferences(next.get());
    ForEachReference(*old, [&](ReferenceKind kind, const Urn& urn, const std::string& key) {
      const auto seen = names_.find(urn);
      if (seen == names_.end()) {
        result->removed.push_back({KindName(kind), key, urn});
      } else {
        AddReference(kind, seen->second, key, next.get());
      }
    });
    RenameProvider(next.get());
    if (const auto view = names_.find(old->view_of); view != names_.end()) next->view_of = view->second;
    if (!old->parent.empty() && next->parent != old->parent) next->urn = NameBelow(*old, next->parent);

    names_[old->urn] = next->urn;
    result->old_urn = old->urn;
    result->new_urn = next->urn;
    result->pending_delete = old->pending_delete;
    return next;
  }

 private:
  void RenameProvider(State* state) const {
    auto reference = ProviderReference::Parse(state->provider);
    if (!reference.ok()) return;
    const auto seen = names_.find(reference->urn);
    if (seen != names_.end()) state->provider = ProviderReference{seen->second, reference->id}.str();
  }

  static Urn NameBelow(const State& state, const Urn& parent) {
    const Urn& urn = state.urn;
    return Urn::Make(urn.stack(), urn.project(), parent.qualified_type(), urn.type(), urn.name());
  }

  // Old states come last in a snapshot and only old ones refer to them, so the latest name is the right one.
  std::unordered_map<Urn, Urn> names_;
};

}  // namespace

std::vector<StatePtr> Prune(const std::vector<StatePtr>& resources, std::vector<PruneResult>* results) {
  Pruner pruner;
  std::vector<StatePtr> pruned;
  pruned.reserve(resources.size());
  for (const StatePtr& old : resources) {
    PruneResult result;
    StatePtr next = pruner.Visit(old, &result);
    const bool renamed = result.old_urn != result.new_urn;
    const bool follows = next->parent != old->parent || next->provider != old->provider ||
                         next->dependencies != old->dependencies || next->deleted_with != old->deleted_with ||
                         next->property_dependencies != old->property_dependencies ||
                         next->replace_with != old->replace_with || next->view_of != old->view_of;
    const bool changed = renamed || !result.removed.empty() || follows;
    if (renamed || !result.removed.empty()) results->push_back(std::move(result));
    pruned.push_back(changed ? next : old);
  }
  return pruned;
}

}  // namespace kingpost
