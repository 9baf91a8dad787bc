// SPDX-License-Identifier: Apache-2.0
// Decides in which order the outside answers. Every fake waits for its turn; the driver admits one answer at a time,
// once the engine has nothing left to do. Loop thread.
#pragma once

#include <deque>
#include <random>

#include "base/loop.h"

namespace kingpost::scenarios {

class AnswerQueue {
 public:
  // seed 0: first come, first served. Any other: an order of its own.
  AnswerQueue(Loop& loop, unsigned seed) : loop_(&loop), seed_(seed), random_(seed) {}

  Task<void> Next() {
    Completion<bool> turn(*loop_);
    waiting_.push_back(turn);
    co_await turn;
  }

  // An answer that does not come until its plugin is killed.
  Task<void> Killed() {
    Completion<bool> turn(*loop_);
    hung_.push_back(turn);
    co_await turn;
  }
  // False if no answer hangs.
  bool Kill() {
    if (hung_.empty()) return false;
    for (const Completion<bool>& turn : hung_) turn.Set(true);
    hung_.clear();
    return true;
  }

  // Lets some answers come twice.
  void set_echoes(bool echoes) { echoes_ = echoes; }

  // Lets one answer through. False if none waits.
  bool Release() {
    if (waiting_.empty()) return false;
    const size_t chosen = seed_ == 0 ? 0 : random_() % waiting_.size();
    const Completion<bool> turn = waiting_[chosen];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
    turn.Set(true);
    if (echoes_ && random_() % 8 == 0) turn.Set(true);
    return true;
  }

 private:
  Loop* loop_;
  const unsigned seed_;
  std::mt19937 random_;
  bool echoes_ = false;
  std::deque<Completion<bool>> waiting_, hung_;
};

}  // namespace kingpost::scenarios
