// SPDX-License-Identifier: Apache-2.0
#include "console/display/still_running.h"

namespace kingpost {

namespace {
constexpr std::chrono::seconds kFirst[] = {std::chrono::seconds(10), std::chrono::seconds(30),
                                           std::chrono::seconds(60)};
constexpr std::chrono::seconds kThen{120};
}  // namespace

std::chrono::seconds NextReminder(std::chrono::seconds elapsed) {
  for (const std::chrono::seconds moment : kFirst) {
    if (elapsed < moment) return moment;
  }
  const std::chrono::seconds last = kFirst[2];
  return last + ((elapsed - last) / kThen + 1) * kThen;
}

}  // namespace kingpost
