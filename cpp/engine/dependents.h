// SPDX-License-Identifier: Apache-2.0
// Asks the providers for decisions::Condemning. Engine thread.
#pragma once

#include "decisions/condemning.h"
#include "engine/providers/provider_registry.h"
#include "engine/reporter.h"

namespace kingpost::engine {

// Runs the machine to its end: configures the providers of what it asks about, and gives it their diffs.
Task<Status> AskProviders(decisions::Condemning* condemning, providers::ProviderRegistry& providers, Reporter& report);

}  // namespace kingpost::engine
