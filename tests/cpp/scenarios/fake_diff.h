// SPDX-License-Identifier: Apache-2.0
// How fake providers compare inputs.
#pragma once

#include "kingpost/provider_values.h"
#include "scenarios/scenario.h"

namespace kingpost::scenarios {

// Sets what has changed, in keys and in detail. Changes of the inputs that `replaces` lists ask for a replacement.
void CompareInputs(const DiffRequest& request, const Json& replaces, DiffResponse* response);

}  // namespace kingpost::scenarios
