// SPDX-License-Identifier: Apache-2.0
#include "wire/log_intake.h"

#include <utility>

namespace kingpost {

void LogIntake::Add(LogMessage message, std::function<void()> acknowledge) {
  bool wake = false, hold = false;
  {
    std::lock_guard lock(mutex_);
    wake = queue_.empty();
    bytes_ += message.message.size();
    queue_.push_back(std::move(message));
    hold = queue_.size() > kMessagesMax || bytes_ > kBytesMax;
    if (hold) held_.push_back(acknowledge);
  }
  // The message is queued before it is acknowledged: what the sender does next comes after it on the loop, too.
  if (wake) {
    inbox_->Post([self = shared_from_this()] { self->Drain(); });
  }
  if (!hold) acknowledge();
}

void LogIntake::Drain() {
  std::vector<LogMessage> messages;
  std::vector<std::function<void()>> held;
  {
    std::lock_guard lock(mutex_);
    messages.swap(queue_);
    held.swap(held_);
    bytes_ = 0;
  }
  for (LogMessage& log : messages) {
    if (!service_) break;
    service_->Log(log.severity, std::move(log.message), std::move(log.urn), log.stream_id, log.ephemeral);
  }
  for (auto& acknowledge : held) acknowledge();
}

void LogIntake::Close() {
  Drain();
  service_ = nullptr;
}

}  // namespace kingpost
