// SPDX-License-Identifier: Apache-2.0
#include "cli/session/phrases.h"

#include <algorithm>
#include <ctime>

namespace kingpost {

std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string AgoText(int64_t unix_ms) {
  const int64_t seconds = std::max<int64_t>(0, std::time(nullptr) - unix_ms / 1000);
  const auto text = [](int64_t count, const char* unit) {
    return std::to_string(count) + " " + unit + (count == 1 ? "" : "s") + " ago";
  };
  if (seconds < 5) return "now";
  if (seconds < 60) return text(seconds, "second");
  if (seconds < 3600) return text(seconds / 60, "minute");
  if (seconds < 86400) return text(seconds / 3600, "hour");
  return text(seconds / 86400, "day");
}

}  // namespace kingpost
