// SPDX-License-Identifier: Apache-2.0
#include "base/engine_log.h"

#include <atomic>
#include <utility>

namespace kingpost {

namespace {

constexpr int kNothing = -1;
std::atomic<int> level_wanted{kNothing};

LogSink& Sink() {
  static auto* const sink = new LogSink();  // threads may log until the process ends
  return *sink;
}

}  // namespace

void StartLog(int level_max, LogSink sink) {
  Sink() = std::move(sink);
  level_wanted.store(Sink() ? level_max : kNothing, std::memory_order_release);
}

bool IsLogEnabled(int level) { return level <= level_wanted.load(std::memory_order_acquire); }

void WriteLog(int level, const std::string& line) {
  if (IsLogEnabled(level)) Sink()(level, line);
}

}  // namespace kingpost
