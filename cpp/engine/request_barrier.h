// SPDX-License-Identifier: Apache-2.0
// Lets a state migration be alone with what is recorded (row 11.2). All requests about resources pass here; one that
// has to be alone waits until all before it have ended, steps and all, and those that come later wait for it.
//
//   a ──▶ b ──▶ M waits for a and b ──▶ M alone ──▶ M goes on as the others do
//                    c ──────────────────────────────▶ c
//
// Where nobody wants to be alone, nobody waits. Engine thread.
#pragma once

#include <memory>
#include <utility>

#include "base/loop.h"

namespace kingpost::engine {

class RequestBarrier {
 public:
  explicit RequestBarrier(Loop& loop) : loop_(loop), door_(loop) {}

  // A request under way; it ends when the pass is destroyed.
  class [[nodiscard]] SharedAccess {
   public:
    explicit SharedAccess(RequestBarrier* owner) : owner_(owner) { ++owner->inside_; }
    SharedAccess(SharedAccess&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
    ~SharedAccess() {
      if (owner_) owner_->Leave();
    }

   private:
    RequestBarrier* owner_;
  };

  // const RequestBarrier::SharedAccess pass = co_await standstill.Enter();
  auto Enter() noexcept {
    struct Entering {
      RequestBarrier* owner;
      decltype(std::declval<Mutex>().Acquire()) door;
      bool await_ready() noexcept { return door.await_ready(); }
      void await_suspend(std::coroutine_handle<> waiting) { door.await_suspend(waiting); }
      SharedAccess await_resume() noexcept {
        const Semaphore::Permit permit = door.await_resume();
        return SharedAccess(owner);
      }
    };
    return Entering{this, door_.Acquire()};
  }

  class [[nodiscard]] ExclusiveAccess {
   public:
    ExclusiveAccess(RequestBarrier* owner, Semaphore::Permit door) : owner_(owner), door_(std::move(door)) {}
    ExclusiveAccess(ExclusiveAccess&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), door_(std::move(other.door_)) {}
    ~ExclusiveAccess() {
      if (owner_) ++owner_->inside_;
    }

   private:
    RequestBarrier* owner_;
    Semaphore::Permit door_;
  };

  // For a request that has a pass, and has not begun anything: without it until it is alone, with it again afterwards.
  Task<ExclusiveAccess> Hold() {
    Leave();
    Semaphore::Permit door = co_await door_.Acquire();
    while (inside_ > 0) {
      const auto empty = empty_ = std::make_shared<Event>(loop_);
      co_await *empty;
    }
    co_return ExclusiveAccess(this, std::move(door));
  }

 private:
  void Leave() {
    if (--inside_ == 0 && empty_) std::exchange(empty_, nullptr)->Set();
  }

  Loop& loop_;
  Mutex door_;
  int inside_ = 0;
  std::shared_ptr<Event> empty_;  // of who waits behind the door to be alone
};

}  // namespace kingpost::engine
