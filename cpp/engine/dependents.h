// SPDX-License-Identifier: Apache-2.0
// Asks the providers for plan::Condemning. Engine thread.
#pragma once

#include "engine/provider_registry.h"
#include "engine/reporter.h"
#include "plan/condemning.h"

namespace kingpost::engine {

// Runs the machine to its end: configures the providers of what it asks about, and gives it their diffs.
Task<Status> AskProviders(plan::Condemning* condemning, ProviderRegistry& providers, Reporter& report);

}  // namespace kingpost::engine
