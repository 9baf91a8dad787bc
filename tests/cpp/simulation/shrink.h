// SPDX-License-Identifier: Apache-2.0
// Makes a failing story smaller, as long as it fails in the same way.
#pragma once

#include "simulation/explorer.h"

namespace kingpost::simulation {

// Returns the smallest story found that still fails, with "crash" set to a crash that shows the failure.
Json Shrink(Json story, const Failure& failure);

}  // namespace kingpost::simulation
