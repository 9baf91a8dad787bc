// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <cstdio>
#include <ctime>

namespace kingpost {

std::string NowRfc3339() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm utc{};
  ::gmtime_r(&now.tv_sec, &utc);
  char text[64];
  size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  length += std::snprintf(text + length, sizeof text - length, ".%09ld", now.tv_nsec);
  while (text[length - 1] == '0') --length;
  if (text[length - 1] == '.') --length;
  return std::string(text, length) + "Z";
}

int64_t NowUnixNano() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace kingpost
