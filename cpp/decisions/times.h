// SPDX-License-Identifier: Apache-2.0
// When a resource was made and changed (row 5.17). Pure.
#pragma once

#include <string>

#include "decisions/step.h"

namespace kingpost::decisions {

// The times of `next` once a step of this kind has happened; `old_state` may be null. A create and an import set both,
// an update of what a provider holds sets the second, a read and a refresh set it if they found something new. Nothing
// else sets either.
void SetTimes(StepOp op, const StatePtr& old_state, const std::string& now, State* next);

}  // namespace kingpost::decisions
