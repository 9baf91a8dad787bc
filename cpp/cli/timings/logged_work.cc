// SPDX-License-Identifier: Apache-2.0
#include "cli/timings/logged_work.h"

#include <cstdio>

#include "base/engine_log.h"

namespace kingpost {

void LogWork(const Timings::Work& work, bool ended) {
  using Activity = Timings::Activity;
  const int level = work.activity == Activity::kProviderCall ? 7
                    : work.activity == Activity::kPlanning   ? 9
                    : work.activity == Activity::kSaving     ? 11
                    : work.activity == Activity::kSlot       ? 11
                                                             : 3;
  if (!IsLogEnabled(level)) return;
  std::string line = ActivityName(work.activity);
  if (!work.what.empty()) line += ": " + work.what;
  if (!work.about.empty()) line += " " + work.about;
  if (!ended) {
    WriteLog(level, line + " begins");
    return;
  }
  char took[48];
  std::snprintf(took, sizeof took, " took %.3f ms",
                std::chrono::duration<double, std::milli>(work.end - work.begin).count());
  WriteLog(level, line + took + (work.failure.empty() ? "" : " and failed: " + work.failure));
}

}  // namespace kingpost
