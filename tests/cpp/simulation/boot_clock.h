// SPDX-License-Identifier: Apache-2.0
// The clock since boot (CLOCK_BOOTTIME), by which a command tells how long ago it renewed its lease, as a story has it.
#pragma once

#include <functional>

namespace kingpost::simulation {

// In seconds; null: the machine's own.
void SetBootClock(std::function<double()> seconds);

}  // namespace kingpost::simulation
