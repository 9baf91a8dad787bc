// SPDX-License-Identifier: Apache-2.0
// Runs an operation in a world that answers only when the test lets it.
#pragma once

#include <functional>
#include <optional>

#include "kingpost/engine.h"

namespace kingpost::scenarios {

// Whenever the engine has nothing left to do, `proceed` lets one thing happen; false if nothing could. Told whether the
// operation still runs: what it left on its way goes on after its end. nullopt if it is stuck.
std::optional<OperationResult> RunStepwise(Loop& loop, Operation operation,
                                           const std::function<bool(bool running)>& proceed);

}  // namespace kingpost::scenarios
