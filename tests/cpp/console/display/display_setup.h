// SPDX-License-Identifier: Apache-2.0
// Events for tests of displays.
#pragma once

#include <memory>
#include <string>

#include "kingpost/event.h"

namespace kingpost::display_setup {

// A resource of the stack "dev" of the project "site"; its outputs are its inputs.
inline StatePtr MakeState(const std::string& name, PropertyMap inputs = {}, const std::string& type = "pkg:m:T",
                          const std::string& parent = "") {
  State state;
  state.urn = Urn("urn:pulumi:dev::site::" + type + "::" + name);
  state.type = type;
  state.custom = true;
  state.inputs = inputs;
  state.outputs = std::move(inputs);
  if (!parent.empty()) state.parent = Urn(parent);
  return std::make_shared<const State>(std::move(state));
}

inline StepMetadata Step(StepOp op, StatePtr old_state, StatePtr new_state) {
  StepMetadata step;
  step.op = op;
  step.urn = (new_state ? new_state : old_state)->urn;
  step.type = (new_state ? new_state : old_state)->type;
  step.old_state = std::move(old_state);
  step.new_state = std::move(new_state);
  return step;
}

}  // namespace kingpost::display_setup
