// SPDX-License-Identifier: Apache-2.0
// Makes a failing story smaller, as long as it fails in the same way.
#pragma once

#include "simulation/explorer.h"

namespace kingpost::simulation {

// With "crash" set to one that shows it.
Json Shrink(Json story, const Failure& failure);

}  // namespace kingpost::simulation
