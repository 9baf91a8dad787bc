// SPDX-License-Identifier: Apache-2.0
#include "decisions/new_state.h"

#include "model/resource_fields.h"

namespace kingpost::decisions {

Draft NewState(const Goal& goal, const Urn& urn, const StatePtr& old_state, const Urn& alias) {
  auto draft = std::make_shared<State>();
  static_cast<DeclaredFields&>(*draft) = goal;
  draft->urn = urn;
  ForEachResourceField([&](const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (Field::kIsFlag && Field::kInState) draft.get()->*field.state = (goal.*field.goal).value_or(false);
  });
  if (!alias.empty()) draft->aliases.push_back(alias);
  if (old_state) {
    draft->created = old_state->created;
    draft->modified = old_state->modified;
    draft->refresh_before_update = old_state->refresh_before_update;
  }
  return draft;
}

void ShareEqual(const State& old_state, State* draft, Goal* goal) {
  if (DeepEqual(draft->inputs, old_state.inputs)) draft->inputs = old_state.inputs;
  if (draft->urn == old_state.urn) draft->urn = old_state.urn;
  if (draft->parent == old_state.parent) draft->parent = goal->parent = old_state.parent;
  if (draft->dependencies == old_state.dependencies) {
    draft->dependencies = goal->dependencies = old_state.dependencies;
  }
  if (draft->property_dependencies == old_state.property_dependencies) {
    draft->property_dependencies = goal->property_dependencies = old_state.property_dependencies;
  }
}

}  // namespace kingpost::decisions
