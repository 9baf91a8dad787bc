// SPDX-License-Identifier: Apache-2.0
// Which providers an operation will most likely start, so that they can be begun before anybody asks for them. Pure.
#pragma once

#include "kingpost/engine.h"
#include "model/provider_spec.h"
#include "model/snapshot.h"

namespace kingpost {

// Those that are recorded. None where the user restricts the operation to a part of the resources and no program runs:
// then most may not be needed.
ExpectedProviders ProvidersExpectedBy(const Snapshot& snapshot, const OperationOptions& options);

}  // namespace kingpost
