// SPDX-License-Identifier: Apache-2.0
// The package "pulumi", served in process (rows 2.22 to 2.25): StackReference, Stash, and the invokes
// readStackOutputs, readStackResourceOutputs and getResource. Engine thread.
#pragma once

#include <functional>

#include "engine/reporter.h"
#include "engine/run.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

ProviderPtr MakeBuiltins(const Operation& operation, Run& run, Reporter& report);

}  // namespace kingpost::engine
