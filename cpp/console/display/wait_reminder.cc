// SPDX-License-Identifier: Apache-2.0
#include "console/display/wait_reminder.h"

#include "console/display/labels.h"
#include "console/display/still_running.h"
#include "console/display/terminal.h"

namespace kingpost {

std::string WaitReminder::Take(const std::optional<Wait>& longest, std::chrono::steady_clock::time_point now) {
  if (!longest) return "";
  if (longest->since != since_) {
    since_ = longest->since;
    next_ = NextReminder(std::chrono::seconds(0));
  }
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - longest->since);
  if (elapsed < next_) return "";
  next_ = NextReminder(elapsed);
  return "still waiting for " + Printable(longest->what) + " to answer (" + RoundDuration(elapsed) + ")";
}

}  // namespace kingpost
