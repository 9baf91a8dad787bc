// SPDX-License-Identifier: Apache-2.0
// An observer of chains that wait for a slot of the executor; --timings has one. Set for the thread that runs the loop,
// for as long as the watch lives, so that neither the options of an operation nor the executor's parts carry it.
#pragma once

#include <functional>
#include <utility>

namespace kingpost::engine {

class SlotWaitObserver {
 public:
  // `tell` is called with true when a chain begins to wait, with false when it has its slot.
  explicit SlotWaitObserver(std::function<void(bool waits)> tell) : tell_(std::move(tell)), before_(current_) {
    current_ = this;
  }
  ~SlotWaitObserver() { current_ = before_; }
  SlotWaitObserver(const SlotWaitObserver&) = delete;
  SlotWaitObserver& operator=(const SlotWaitObserver&) = delete;

  static void Tell(bool waits) {
    if (current_ && current_->tell_) current_->tell_(waits);
  }

 private:
  static inline thread_local SlotWaitObserver* current_ = nullptr;
  std::function<void(bool)> tell_;
  SlotWaitObserver* const before_;
};

}  // namespace kingpost::engine
