// SPDX-License-Identifier: Apache-2.0
// --timings of many stacks: the chain of stacks that took the time, and the slowest of the others. Pure.
#pragma once

#include <string>
#include <vector>

#include "cli/fleet/fleet_run.h"

namespace kingpost {

// From the stack that ended last back over the one that each began after: places in `results`, the first one first.
std::vector<size_t> CriticalStacks(const Fleet& fleet, const std::vector<MemberResult>& results);

std::string FleetTimingsText(const Fleet& fleet, const std::vector<MemberResult>& results, const std::string& word);

}  // namespace kingpost
