// SPDX-License-Identifier: Apache-2.0
// The message after an interruption: what the operation waits for, and how it goes on. Pure.
#pragma once

#include <string>

#include "console/display/display_rows.h"

namespace kingpost {

// After the first interruption, or a later one.
std::string InterruptionText(const DisplayRows& rows, int number, DisplayClock::time_point now, const Painter& painter);

// After the end of an operation that was stopped at once: what was left pending; "" if nothing was.
std::string LeftPendingText(const DisplayRows& rows, const Painter& painter);

}  // namespace kingpost
