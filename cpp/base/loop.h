// SPDX-License-Identifier: Apache-2.0
// The loop that owns the engine thread, and what coroutines wait for on it.
//
//   Loop       runs posted functions one at a time on the thread that called Run().
//   Inbox      where they wait; for those who may still post when the loop has gone.
//   Completion a value that arrives once, from any thread; the awaiting coroutine resumes on the loop.
//   Event      a flag that many coroutines wait for (loop thread only).
//   Semaphore  a bound on how many coroutines are past a point, first come first served (loop thread only).
//   Mutex      a Semaphore of one.
//   Group      a count of spawned tasks that can be awaited until it is zero (loop thread only).
//
// Post, PostAfter, Spawn and Completion::Set may be called from any thread; everything else only on the loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/task.h"

namespace kingpost {

// The functions that wait for a loop. It may outlive the loop: threads of gRPC and of processes call back at any time,
// and the loop of their operation may have gone by then. What comes too late is dropped where it is posted, not kept:
// it often holds the inbox itself, and the two would keep each other for ever. All methods may be called from any
// thread, without a lock that the destruction of what is posted might want.
class Inbox {
 public:
  using Clock = std::chrono::steady_clock;

  Inbox() = default;
  Inbox(const Inbox&) = delete;

  void Post(std::function<void()> fn);
  void PostAfter(std::chrono::milliseconds delay, std::function<void()> fn);
  // Starts a task without an awaiter. It runs on the loop thread, from the next turn on.
  void Spawn(Task<void> task);

 private:
  friend class Loop;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  std::multimap<Clock::time_point, std::function<void()>> timers_;
  bool stopped_ = false;
  bool closed_ = false;  // the loop has gone
};

class Loop {
 public:
  using Clock = Inbox::Clock;

  Loop() = default;
  ~Loop();  // drops what was not run
  Loop(const Loop&) = delete;

  const std::shared_ptr<Inbox>& inbox() const { return inbox_; }
  // As of the inbox; any thread, while the loop exists.
  void Post(std::function<void()> fn) { inbox_->Post(std::move(fn)); }
  void PostAfter(std::chrono::milliseconds delay, std::function<void()> fn) { inbox_->PostAfter(delay, std::move(fn)); }
  void Spawn(Task<void> task) { inbox_->Spawn(std::move(task)); }

  // Runs on the calling thread until Stop. May be called again after it returned.
  void Run();
  void Stop();  // any thread
  // Runs what is posted, and what that posts, until nothing is left; waits for nothing, timers included. For tests
  // that decide what happens next.
  void RunUntilIdle();

  // Runs the loop until the task has ended, and returns its value.
  template <class T>
  T RunUntilDone(Task<T> task);

  bool OnLoopThread() const { return owner_ == std::this_thread::get_id(); }

 private:
  void RunBatch(std::unique_lock<std::mutex>& lock);

  const std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  std::thread::id owner_;
};

// A value that arrives once. Copies share it. The setter may run on any thread and may outlive the waiter and the loop.
template <class T>
class Completion {
 public:
  explicit Completion(Loop& loop) : shared_(std::make_shared<Shared>(loop.inbox())) {}

  // Any thread; calls after the first are ignored.
  void Set(T value) const {
    auto shared = shared_;
    shared->inbox->Post([shared, v = std::make_shared<T>(std::move(value))] {
      if (shared->value) return;
      shared->value.emplace(std::move(*v));
      if (auto waiter = std::exchange(shared->waiter, nullptr)) waiter.resume();
    });
  }

  auto operator co_await() const noexcept {
    struct Awaiter {
      std::shared_ptr<Shared> shared;
      bool await_ready() noexcept { return shared->value.has_value(); }
      void await_suspend(std::coroutine_handle<> h) noexcept { shared->waiter = h; }
      T await_resume() { return std::move(*shared->value); }
    };
    return Awaiter{shared_};
  }

 private:
  struct Shared {
    explicit Shared(std::shared_ptr<Inbox> i) : inbox(std::move(i)) {}
    const std::shared_ptr<Inbox> inbox;
    std::optional<T> value;
    std::coroutine_handle<> waiter;
  };
  std::shared_ptr<Shared> shared_;
};

// A flag that stays set. Waiters resume in the order they came, each on its own turn of the loop.
class Event {
 public:
  explicit Event(Loop& loop) : loop_(&loop) {}
  bool is_set() const { return set_; }
  void Set();
  auto operator co_await() noexcept {
    struct Awaiter {
      Event* event;
      bool await_ready() noexcept { return event->set_; }
      void await_suspend(std::coroutine_handle<> h) { event->waiters_.push_back(h); }
      void await_resume() noexcept {}
    };
    return Awaiter{this};
  }

 private:
  Loop* loop_;
  bool set_ = false;
  std::vector<std::coroutine_handle<>> waiters_;
};

class Semaphore {
 public:
  Semaphore(Loop& loop, int count) : loop_(&loop), free_(count) {}

  // Held until destroyed or Release()d.
  class [[nodiscard]] Permit {
   public:
    explicit Permit(Semaphore* s) : semaphore_(s) {}
    Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
    Permit& operator=(Permit&& other) noexcept {
      Release();
      semaphore_ = std::exchange(other.semaphore_, nullptr);
      return *this;
    }
    ~Permit() { Release(); }
    void Release() {
      if (auto s = std::exchange(semaphore_, nullptr)) s->Free();
    }

   private:
    Semaphore* semaphore_;
  };

  // auto permit = co_await semaphore.Acquire();
  auto Acquire() noexcept {
    struct Awaiter {
      Semaphore* s;
      bool await_ready() noexcept {
        if (s->free_ <= 0) return false;
        --s->free_;
        return true;
      }
      void await_suspend(std::coroutine_handle<> h) { s->waiters_.push_back(h); }
      Permit await_resume() noexcept { return Permit(s); }
    };
    return Awaiter{this};
  }

 private:
  void Free();
  Loop* loop_;
  int free_;
  std::deque<std::coroutine_handle<>> waiters_;
};

class Mutex : public Semaphore {
 public:
  explicit Mutex(Loop& loop) : Semaphore(loop, 1) {}
};

class Group {
 public:
  explicit Group(Loop& loop) : loop_(&loop) {}
  void Spawn(Task<void> task);
  int running() const { return running_; }
  // Resumes when no spawned task is running (at once if none is).
  auto Wait() noexcept {
    struct Awaiter {
      Group* g;
      bool await_ready() noexcept { return g->running_ == 0; }
      void await_suspend(std::coroutine_handle<> h) { g->waiters_.push_back(h); }
      void await_resume() noexcept {}
    };
    return Awaiter{this};
  }

 private:
  Task<void> Count(Task<void> task);
  Loop* loop_;
  int running_ = 0;
  std::vector<std::coroutine_handle<>> waiters_;
};

// A fixed set of threads for blocking work (files, key derivation, Python). Run() gives a Task that
// resumes on the loop with the function's result.
class WorkerPool {
 public:
  WorkerPool(Loop& loop, int threads);
  ~WorkerPool();  // waits for what has been started

  template <class F>
  auto Run(F fn) -> Task<decltype(fn())> {
    using R = decltype(fn());
    Completion<R> done(*loop_);
    auto shared = std::make_shared<F>(std::move(fn));
    Submit([done, shared] { done.Set((*shared)()); });
    co_return co_await done;
  }
  void Submit(std::function<void()> fn);

 private:
  void Work();
  Loop* loop_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

// co_await Sleep(loop, 50ms);
Task<void> Sleep(Loop& loop, std::chrono::milliseconds delay);

template <class T>
T Loop::RunUntilDone(Task<T> task) {
  if constexpr (std::is_void_v<T>) {
    auto wrapper = [](Task<T> inner, Loop* loop) -> Task<void> {
      co_await std::move(inner);
      loop->Stop();
    };
    Spawn(wrapper(std::move(task), this));
    Run();
  } else {
    std::optional<T> out;
    auto wrapper = [](Task<T> inner, std::optional<T>* out, Loop* loop) -> Task<void> {
      out->emplace(co_await std::move(inner));
      loop->Stop();
    };
    Spawn(wrapper(std::move(task), &out, this));
    Run();
    return std::move(*out);
  }
}

}  // namespace kingpost
