// SPDX-License-Identifier: Apache-2.0
// What Check of a registration is asked, and what its answer means (row 3.13). Pure.
#pragma once

#include <string>

#include "decisions/choose.h"
#include "kingpost/provider.h"

namespace kingpost::decisions {

// Whether what is made is new, so that Check gets nothing old: nothing is recorded, or it was only read, had to go
// first, is tainted, or its replacement is forced.
bool StartsAfresh(const StatePtr& old_state, const Urn& urn, bool went_first, const Selection& selection);

// What becomes of the inputs before policies see them: they are as they are here, or what Check makes of them.
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

// The text of a failure, with the value.
std::string CheckFailureText(const State& state, const CheckFailure& failure, bool show_secrets = false);

}  // namespace kingpost::decisions
