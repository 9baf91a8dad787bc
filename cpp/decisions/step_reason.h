// SPDX-License-Identifier: Apache-2.0
// Why a step was taken, as its events tell it. Pure.
#pragma once

#include "decisions/reason.h"
#include "kingpost/event.h"

namespace kingpost::decisions {

// Its reason, or null if it has none. A refresh decides nothing, so its reason cannot name what it found: that is in
// the event of its end, and is added here.
ReasonPtr ReasonOf(const StepMetadata& step);

}  // namespace kingpost::decisions
