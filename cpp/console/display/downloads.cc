// SPDX-License-Identifier: Apache-2.0
#include "console/display/downloads.h"

#include <algorithm>
#include <cstdio>

#include "console/display/terminal.h"

namespace kingpost {

namespace {

constexpr int kSmallestBar = 10;

std::string Bar(int columns, int64_t received, int64_t total) {
  const int inside = columns - 2;
  const int reached = static_cast<int>(std::clamp<int64_t>(received, 0, total) * inside / total);
  std::string bar = "[" + std::string(reached, '-');
  if (reached > 0 && reached < inside) bar += '>';
  bar.resize(inside + 1, '_');
  return bar + "]";
}

std::string Line(const ProgressEvent& event, int columns) {
  const std::string message = Printable(event.message);
  if (event.total <= 0) return Truncate(message, columns);
  const std::string total = BytesText(event.total), received = BytesText(event.received);
  const int padding = std::max<int>(0, static_cast<int>(total.size() - std::min(total.size(), received.size())));
  const std::string counts = std::string(padding, ' ') + received + "/" + total;
  const int room = columns - DisplayWidth(message) - 1;
  const int beside_counts = room - static_cast<int>(counts.size()) - 1;
  if (beside_counts >= kSmallestBar) {
    return message + " " + Bar(beside_counts, event.received, event.total) + " " + counts;
  }
  if (room >= kSmallestBar) return message + " " + Bar(room, event.received, event.total);
  return Truncate(message, columns);
}

}  // namespace

std::string BytesText(int64_t bytes) {
  constexpr std::pair<int64_t, const char*> kUnits[] = {{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}};
  for (const auto& [size, name] : kUnits) {
    if (bytes < size) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%.2f %s", static_cast<double>(bytes) / static_cast<double>(size), name);
    return text;
  }
  return std::to_string(bytes) + " B";
}

std::string Downloads::Apply(const ProgressEvent& event) {
  if (event.done) {
    running_.erase(event.id);
    return Printable(event.message) + ": done";
  }
  const bool first = running_.count(event.id) == 0;
  running_[event.id] = event;
  return first ? Printable(event.message) + ": starting" : "";
}

std::vector<std::string> Downloads::Lines(int columns) const {
  std::vector<std::string> lines;
  for (const auto& [id, event] : running_) lines.push_back(Line(event, columns));
  return lines;
}

}  // namespace kingpost
