// SPDX-License-Identifier: Apache-2.0
// See move_selection.h. Every pass relies on the order of the list: what is referred to comes first.
#include "decisions/move_selection.h"

#include <unordered_map>

#include "model/references.h"

namespace kingpost {
namespace {

bool IsRootStack(const State& state) { return state.type == kRootStackType && state.parent.empty(); }

class Selector {
 public:
  explicit Selector(const std::vector<StatePtr>& resources) : resources_(resources) {}

  Result<MoveSelection> Run(const std::vector<std::string>& urns, bool include_parents) {
    if (const Status named = SelectNamed(urns); !named.ok()) return named;
    if (include_parents) SelectParents();
    SelectChildren();
    SelectProvidersBelow();
    std::unordered_set<Urn>& moved = selection_.moved;
    for (const StatePtr& state : resources_) {
      if (IsRootStack(*state)) moved.erase(state->urn);
    }
    for (const StatePtr& state : resources_) {
      if (moved.count(state->urn) && !state->provider.empty() && !moved.count(Urn(ProviderUrn(*state)))) {
        selection_.copied_providers.insert(state->provider);
      }
    }
    return std::move(selection_);
  }

 private:
  static std::string ProviderUrn(const State& state) { return std::string(ProviderUrnText(state.provider)); }

  Status SelectNamed(const std::vector<std::string>& urns) {
    std::unordered_map<std::string, const State*> by_urn;
    for (const StatePtr& state : resources_) by_urn[state->urn.str()] = state.get();
    for (const std::string& urn : urns) {
      const auto found = by_urn.find(urn);
      if (found == by_urn.end()) {
        selection_.unknown.push_back(urn);
        continue;
      }
      if (found->second->is_provider()) {
        return Status(Code::kInvalidArgument,
                      "cannot move providers. Only resources can be moved, and providers will be included "
                      "automatically; leave out " +
                          urn);
      }
      selection_.moved.insert(found->second->urn);
    }
    return Status::Ok();
  }

  void SelectParents() {
    std::unordered_set<Urn> above = selection_.moved;
    for (auto it = resources_.rbegin(); it != resources_.rend(); ++it) {
      const State& state = **it;
      if (!above.count(state.urn)) continue;
      if (!state.parent.empty()) above.insert(state.parent);
      // Ancestors of a parent that is a provider are looked through, but neither it nor the root stack is moved so.
      if (!IsRootStack(state) && !state.is_provider()) selection_.moved.insert(state.urn);
    }
  }

  // Also views, which show parts of the resource they belong to.
  void SelectChildren() {
    std::unordered_set<Urn> below = selection_.moved;
    Urn root;
    for (const StatePtr& state : resources_) {
      if (IsRootStack(*state)) root = state->urn;
      if (!below.count(state->parent) && !below.count(state->view_of)) continue;
      below.insert(state->urn);
      if (!state->is_provider()) {
        selection_.moved.insert(state->urn);
      } else if (state->parent != root) {
        providers_below_.insert(state->urn);
      }
    }
  }

  // From the end: whatever stays needs what it refers to, and what is needed stays.
  void SelectProvidersBelow() {
    std::unordered_set<Urn> needed;
    for (auto it = resources_.rbegin(); it != resources_.rend(); ++it) {
      const State& state = **it;
      if (selection_.moved.count(state.urn)) continue;
      if (providers_below_.count(state.urn) && !needed.count(state.urn)) {
        selection_.moved.insert(state.urn);
        continue;
      }
      if (!state.provider.empty()) needed.insert(Urn(ProviderUrn(state)));
      ForEachReference(state, [&](ReferenceKind, const Urn& urn, const std::string&) { needed.insert(urn); });
    }
  }

  const std::vector<StatePtr>& resources_;
  std::unordered_set<Urn> providers_below_;
  MoveSelection selection_;
};

}  // namespace

Result<MoveSelection> SelectResourcesToMove(const std::vector<StatePtr>& resources,
                                            const std::vector<std::string>& urns, bool include_parents) {
  return Selector(resources).Run(urns, include_parents);
}

}  // namespace kingpost
