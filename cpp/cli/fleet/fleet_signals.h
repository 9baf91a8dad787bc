// SPDX-License-Identifier: Apache-2.0
// Interrupts of a fleet: the first lets what is under way end in all stacks and begins no other, the second stops at
// once. Passes them on to whatever runs at that time.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>

#include "cli/session/signals.h"
#include "kingpost/engine.h"

namespace kingpost {

class FleetSignals {
 public:
  // `on_signal` is called with 1, then 2, on the thread that reads signals, after the operations were told.
  FleetSignals(std::function<void(int number)> on_signal, bool reported_by_display)
      : on_signal_(std::move(on_signal)), scope_([this](int number) { Take(number); }, reported_by_display) {}

  // Until what this answers is gone. One that comes late is told at once.
  std::shared_ptr<void> AddCancellation(const std::shared_ptr<Cancellation>& cancellation) {
    const std::lock_guard<std::mutex> lock(mutex_);
    running_.insert(cancellation.get());
    if (count_ >= 1) cancellation->Cancel();
    if (count_ >= 2) cancellation->Terminate();
    return {nullptr, [this, cancellation](void*) {
              const std::lock_guard<std::mutex> ending(mutex_);
              running_.erase(cancellation.get());
            }};
  }

 private:
  void Take(int number) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      count_ = number;
      for (Cancellation* one : running_) number == 1 ? one->Cancel() : one->Terminate();
    }
    on_signal_(number);
  }

  const std::function<void(int number)> on_signal_;
  std::mutex mutex_;
  int count_ = 0;
  std::set<Cancellation*> running_;
  const OperationSignals scope_;  // the last: it ends before what it calls
};

}  // namespace kingpost
