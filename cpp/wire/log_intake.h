// SPDX-License-Identifier: Apache-2.0
// Log messages on their way to the loop. Programs log a lot and wait for each answer, so a message is acknowledged at
// once, before the loop has seen it. When thousands wait, the answers are held until the loop has caught up. Nothing
// is dropped, and what can pile up is bounded by the streams a connection may have. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/monitor.h"

namespace kingpost {

struct LogMessage {
  Severity severity = Severity::kInfo;
  std::string message, urn;
  int stream_id = 0;
  bool ephemeral = false;
};

class LogIntake : public std::enable_shared_from_this<LogIntake> {
 public:
  LogIntake(const Loop& loop, EngineService* service) : inbox_(loop.inbox()), service_(service) {}

  // `acknowledge` runs once, perhaps on this thread.
  void Add(LogMessage message, std::function<void()> acknowledge);
  // Loop thread. What comes later is acknowledged and forgotten.
  void Close();

 private:
  static constexpr size_t kMessagesMax = 4096;
  static constexpr size_t kBytesMax = 16 * 1024 * 1024;

  void Drain();

  const std::shared_ptr<Inbox> inbox_;
  EngineService* service_;  // null once closed; loop thread
  std::mutex mutex_;
  std::vector<LogMessage> queue_;
  std::vector<std::function<void()>> held_;  // answers that wait for the queue to empty
  size_t bytes_ = 0;
};

}  // namespace kingpost
