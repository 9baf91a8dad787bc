// SPDX-License-Identifier: Apache-2.0
// Stories made by chance for the explorer: two or three operations, and what goes wrong in each.
#pragma once

#include "simulation/reality.h"

namespace kingpost::simulation {

Json MakeStory(unsigned seed);

}  // namespace kingpost::simulation
