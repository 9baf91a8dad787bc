// SPDX-License-Identifier: Apache-2.0
// Which properties of a resource a step changes, for the line of a row.
#pragma once

#include <string>

#include "console/display/terminal.h"
#include "kingpost/event.h"

namespace kingpost {

// "+a ~b"; "" if nothing is known.
std::string ChangedKeys(const StepMetadata& step, const Painter& painter);

}  // namespace kingpost
