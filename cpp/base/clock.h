// SPDX-License-Identifier: Apache-2.0
// The time of day, in the form that records have. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace kingpost {

// "2026-11-21T01:39:29.25Z": UTC to the nanosecond, without trailing zeros, as Go prints it.
std::string NowRfc3339();

int64_t NowUnixNano();  // since 1970

}  // namespace kingpost
