// SPDX-License-Identifier: Apache-2.0
#include "cli/display/wait_reminder.h"

#include "cli/display/labels.h"
#include "cli/display/still_running.h"
#include "cli/display/terminal.h"

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
