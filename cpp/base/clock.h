// SPDX-License-Identifier: Apache-2.0
// What time it is, as records tell it. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace kingpost {

// "2026-11-21T01:39:29.25Z": UTC to the nanosecond, without trailing zeros, as Go prints it.
std::string NowRfc3339();

int64_t NowUnixNano();  // since 1970

}  // namespace kingpost
