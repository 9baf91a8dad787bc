// SPDX-License-Identifier: Apache-2.0
// Asks the providers for plan::Condemning. Engine thread.
#pragma once

#include "engine/reporter.h"
#include "plan/condemning.h"
#include "providers/provider_registry.h"

namespace kingpost::engine {

// Runs the machine to its end: configures the providers of what it asks about, and gives it their diffs.
Task<Status> AskProviders(plan::Condemning* condemning, providers::ProviderRegistry& providers, Reporter& report);

}  // namespace kingpost::engine
