// SPDX-License-Identifier: Apache-2.0
// Timed work as lines of the log (base/engine_log.h): calls of providers, requests of the program, searches for
// plugins. Any thread.
#pragma once

#include "cli/timings/timings.h"

namespace kingpost {

void LogWork(const Timings::Work& work, bool ended);

}  // namespace kingpost
