// SPDX-License-Identifier: Apache-2.0
// Times as texts, as states and services have them, in milliseconds since 1970; -1 for what is none. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace kingpost {

int64_t ParseHttpDate(const std::string& text);  // "Sun, 30 Aug 2015 12:36:00 GMT"
int64_t ParseIsoTime(const std::string& text);   // "2015-08-30T12:36:00.25Z", "2015-08-30T12:36:00+02:00"

std::string FormatHttpDate(int64_t ms);
std::string FormatIsoTime(int64_t ms);    // "2015-08-30T12:36:00Z"
std::string FormatBasicTime(int64_t ms);  // "20150830T123600Z"

}  // namespace kingpost
