// SPDX-License-Identifier: Apache-2.0
#include "decisions/check_rules.h"

#include "model/value_text.h"

namespace kingpost::decisions {

bool StartsAfresh(const StatePtr& old_state, const Urn& urn, bool was_deleted_first, const Selection& selection) {
  return !old_state || old_state->external || was_deleted_first || IsForced(*old_state, urn, selection);
}

CheckPlan PlanCheck(const Goal& goal, const StatePtr& old_state, PropertyMap ignoring, bool takes_part,
                    bool starts_afresh) {
  CheckPlan plan;
  if (!goal.custom) {
    plan.inputs = std::move(ignoring);
  } else if (!takes_part) {
    plan.inputs = old_state ? old_state->inputs : PropertyMap();
  } else {
    plan.asks = true;
    if (!starts_afresh) {
      plan.old_inputs = old_state->inputs;
      plan.old_outputs = old_state->outputs;
    }
    plan.new_inputs = starts_afresh ? goal.inputs : ignoring;
  }
  return plan;
}

std::string CheckFailureText(const State& state, const PropertyMap& checked, const CheckFailure& failure,
                             bool show_secrets) {
  const std::string subject = state.type + " resource '" + std::string(state.urn.name()) + "'";
  if (failure.property.empty()) return subject + " has a problem: " + failure.reason;
  const Value* given = state.inputs.Find(failure.property);
  const Value* marked = checked.Find(failure.property);
  Value value = given ? *given : Value();
  if (marked && marked->is_secret() && !value.is_secret()) value = Value::Secret(std::move(value));
  return subject + ": property " + failure.property + " value " + ValueText(value, show_secrets) +
         " has a problem: " + failure.reason;
}

}  // namespace kingpost::decisions
