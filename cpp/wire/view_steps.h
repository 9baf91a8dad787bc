// SPDX-License-Identifier: Apache-2.0
// The steps that providers publish for the parts of a resource while they work on it (row 3.47), from the wire. Any
// thread.
#pragma once

#include "wire/wire.h"

#include <vector>

#include "kingpost/monitor.h"
#include "pulumi/resource_status.pb.h"

namespace kingpost {

// In each state, `urn` holds the view's name: its URN follows from the owner, whom only the engine knows.
Result<std::vector<ViewStep>> DecodeViewSteps(const pulumirpc::PublishViewStepsRequest& wire);

}  // namespace kingpost
