// SPDX-License-Identifier: Apache-2.0
// When to say that a service has not answered yet. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/wait_scope.h"

namespace kingpost {

class WaitReminder {
 public:
  // "still waiting for https://... to answer (10s)": after 10, 30 and 60 seconds of a wait, then every two minutes;
  // otherwise "".
  std::string Take(const std::optional<Wait>& longest, std::chrono::steady_clock::time_point now);

 private:
  std::optional<std::chrono::steady_clock::time_point> since_;
  std::chrono::seconds next_{0};
};

}  // namespace kingpost
