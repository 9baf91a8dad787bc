// SPDX-License-Identifier: Apache-2.0
#include "plan/new_state.h"

namespace kingpost::plan {

Draft NewState(const Goal& goal, const Urn& urn, const StatePtr& old_state, const Urn& alias) {
  auto draft = std::make_shared<State>();
  draft->urn = urn;
  draft->type = goal.type;
  draft->custom = goal.custom;
  draft->inputs = goal.inputs;
  draft->parent = goal.parent;
  draft->protect = goal.protect.value_or(false);
  draft->dependencies = goal.dependencies;
  draft->init_errors = goal.init_errors;
  draft->provider = goal.provider;
  draft->property_dependencies = goal.property_dependencies;
  draft->additional_secret_outputs = goal.additional_secret_outputs;
  if (!alias.empty()) draft->aliases.push_back(alias);
  draft->custom_timeouts = goal.custom_timeouts;
  draft->import_id = goal.import_id;
  draft->retain_on_delete = goal.retain_on_delete.value_or(false);
  draft->deleted_with = goal.deleted_with;
  draft->replace_with = goal.replace_with;
  draft->source_position = goal.source_position;
  draft->stack_trace = goal.stack_trace;
  draft->ignore_changes = goal.ignore_changes;
  draft->hide_diff = goal.hide_diffs;
  draft->replace_on_changes = goal.replace_on_changes;
  draft->replacement_trigger = goal.replacement_trigger;
  draft->hooks = goal.hooks;
  draft->extension_ref = goal.extension_ref;
  draft->snippet_id = goal.snippet_id;
  if (old_state) {
    draft->created = old_state->created;
    draft->modified = old_state->modified;
    draft->refresh_before_update = old_state->refresh_before_update;
  }
  return draft;
}

}  // namespace kingpost::plan
