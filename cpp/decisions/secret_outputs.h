// SPDX-License-Identifier: Apache-2.0
// Which outputs are secret (row 3.41). Pure.
#pragma once

#include <optional>
#include <string>

#include "model/resource.h"

namespace kingpost::decisions {

// Makes secret what additionalSecretOutputs names, and what is secret among the inputs under the same name.
void MarkSecretOutputs(State* state);

// The message about a name that cannot be made secret; nullopt if there is none.
std::optional<std::string> SecretOutputWarning(const State& state);

}  // namespace kingpost::decisions
