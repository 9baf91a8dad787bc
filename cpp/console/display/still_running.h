// SPDX-License-Identifier: Apache-2.0
// When to say that something still runs: after 10, 30 and 60 seconds, then every two minutes. Pure.
#pragma once

#include <chrono>

namespace kingpost {

// The first of these moments after so much time.
std::chrono::seconds NextReminder(std::chrono::seconds elapsed);

}  // namespace kingpost
