// SPDX-License-Identifier: Apache-2.0
// What is timed, as lines of the log (base/engine_log.h): calls of providers, requests of the program, plugins that are
// looked for. Any thread.
#pragma once

#include "cli/timings/timings.h"

namespace kingpost {

void LogWork(const Timings::Work& work, bool ended);

}  // namespace kingpost
