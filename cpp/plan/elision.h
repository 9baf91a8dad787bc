// Which unchanged resources need no write of their own (row 7.14).
#pragma once

#include "model/resource.h"

namespace kingpost::plan {

// True if a same step from old to next leaves out nothing that the next run would need from the record.
bool SameNeedsNoWrite(const State& old_state, const State& next);

}  // namespace kingpost::plan
