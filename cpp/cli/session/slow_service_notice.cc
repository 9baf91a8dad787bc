// SPDX-License-Identifier: Apache-2.0
#include "cli/session/slow_service_notice.h"

#include <csignal>
#include <system_error>

#include "console/display/progress.h"
#include "console/display/wait_reminder.h"

namespace kingpost {

SlowServiceNotice::SlowServiceNotice(std::function<void(const std::string& text)> say) : say_(std::move(say)) {
  // Signals are for the threads that mind them.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error&) {
    // Where no more threads are allowed, nothing is told.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SlowServiceNotice::~SlowServiceNotice() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SlowServiceNotice::Run() {
  constexpr std::chrono::milliseconds kLook{500};
  WaitReminder reminder;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ends_.wait_for(lock, kLook, [this] { return ended_; })) {
    if (IsLiveDisplayShown()) continue;
    const std::string text = reminder.Take(LongestWait(), std::chrono::steady_clock::now());
    if (!text.empty()) say_(text);
  }
}

}  // namespace kingpost
