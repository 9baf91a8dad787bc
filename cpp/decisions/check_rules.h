// SPDX-License-Identifier: Apache-2.0
// The question to Check for a registration, and the meaning of its answer (row 3.13). Pure.
#pragma once

#include <string>

#include "decisions/choose.h"
#include "kingpost/provider.h"

namespace kingpost::decisions {

// Whether the resource is new, so that Check gets no old inputs. It is if there is no record, or if it was only
// read, had to go first, is tainted, or must be replaced.
bool StartsAfresh(const StatePtr& old_state, const Urn& urn, bool was_deleted_first, const Selection& selection);

// Returns the inputs for the policies: the present ones, or the result of Check.
struct CheckPlan {
  bool asks = false;
  PropertyMap inputs;                   // if it does not ask
  PropertyMap old_inputs, old_outputs;  // if it asks
  PropertyMap new_inputs;
};
// `ignoring`: the program's inputs with old values where changes are ignored. A component is not checked, and what
// takes no part in the run keeps its recorded inputs.
CheckPlan PlanCheck(const Goal& goal, const StatePtr& old_state, PropertyMap ignoring, bool takes_part,
                    bool starts_afresh);

// The text of a failure, with the value in `state`. `checked` are the inputs that the provider answered with the
// failure: a value that it marks as a secret is not shown.
std::string CheckFailureText(const State& state, const PropertyMap& checked, const CheckFailure& failure,
                             bool show_secrets = false);

}  // namespace kingpost::decisions
