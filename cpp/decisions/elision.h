// SPDX-License-Identifier: Apache-2.0
// Which unchanged resources need no write of their own (row 7.14).
#pragma once

#include "model/resource.h"

namespace kingpost::decisions {

// True if a same step from old to next leaves out nothing that the next run would need from the record.
bool SameNeedsNoWrite(const State& old_state, const State& next);

// True if what else is recorded of the resource is the same too. Fields that only describe the last run (the place
// in the program, the options) need not be safe before the run goes on. The record has them at its end.
bool SameDescription(const State& old_state, const State& next);

// True if both are the same to the last letter, and the states share their properties: one of them can go.
bool IsIdentical(const State& old_state, const State& next);

}  // namespace kingpost::decisions
