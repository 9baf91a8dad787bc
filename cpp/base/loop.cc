// SPDX-License-Identifier: Apache-2.0
#include "base/loop.h"

namespace kingpost {

namespace {

// A coroutine that starts at once, owns itself and is destroyed when it ends.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

Detached RunDetached(Task<void> task) { co_await std::move(task); }

}  // namespace

void Inbox::Post(std::function<void()> fn) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    queue_.push_back(std::move(fn));
    if (queue_.size() > 1) return;  // the loop is awake, or has been woken, for an earlier one
  }
  wake_.notify_one();
}

void Inbox::PostAfter(std::chrono::milliseconds delay, std::function<void()> fn) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    timers_.emplace(Clock::now() + delay, std::move(fn));
  }
  wake_.notify_one();
}

void Inbox::Spawn(Task<void> task) {
  auto shared = std::make_shared<Task<void>>(std::move(task));
  Post([shared] { RunDetached(std::move(*shared)); });
}

// Coroutines that still wait are left as they are. They are not destroyed: their destructors would reach for objects
// that have often gone before the loop (a semaphore, the engine, a call that MonitorService::HoldIfStopped holds back).
// It follows that a frame may own memory alone. Each file, process and lock is ended by its owner: hosts in Close(),
// which an operation awaits even when it was cancelled; locks by the runner of the loop. Most of what is spawned is
// awaited anyway, in a Group. tests/py/test_module_ends.py cancels operations in one process and counts.
Loop::~Loop() {
  // Released outside the lock: what functions hold may post once more when it goes.
  std::deque<std::function<void()>> queue;
  std::multimap<Clock::time_point, std::function<void()>> timers;
  std::lock_guard lock(inbox_->mutex_);
  inbox_->closed_ = true;
  queue.swap(inbox_->queue_);
  timers.swap(inbox_->timers_);
}

void Loop::Run() {
  owner_ = std::this_thread::get_id();
  Inbox& inbox = *inbox_;
  std::unique_lock lock(inbox.mutex_);
  inbox.stopped_ = false;
  while (true) {
    while (!inbox.timers_.empty() && inbox.timers_.begin()->first <= Clock::now()) {
      inbox.queue_.push_back(std::move(inbox.timers_.begin()->second));
      inbox.timers_.erase(inbox.timers_.begin());
    }
    if (inbox.stopped_) return;
    if (inbox.queue_.empty()) {
      if (inbox.timers_.empty()) {
        inbox.wake_.wait(lock);
      } else {
        inbox.wake_.wait_until(lock, inbox.timers_.begin()->first);
      }
      continue;
    }
    RunBatch(lock);
  }
}

void Loop::RunUntilIdle() {
  owner_ = std::this_thread::get_id();
  std::unique_lock lock(inbox_->mutex_);
  inbox_->stopped_ = false;
  while (!inbox_->queue_.empty() && !inbox_->stopped_) RunBatch(lock);
}

void Loop::RunBatch(std::unique_lock<std::mutex>& lock) {
  Inbox& inbox = *inbox_;
  std::deque<std::function<void()>> batch;
  batch.swap(inbox.queue_);
  while (!batch.empty() && !inbox.stopped_) {
    auto fn = std::move(batch.front());
    batch.pop_front();
    lock.unlock();
    fn();
    fn = nullptr;  // what it captured is released outside the lock
    lock.lock();
  }
  // After a stop, what was not run goes back in front, for a later Run().
  while (!batch.empty()) {
    inbox.queue_.push_front(std::move(batch.back()));
    batch.pop_back();
  }
}

void Loop::Stop() {
  {
    std::lock_guard lock(inbox_->mutex_);
    inbox_->stopped_ = true;
  }
  inbox_->wake_.notify_one();
}

void Event::Set() {
  if (set_) return;
  set_ = true;
  for (auto h : std::exchange(waiters_, {})) {
    loop_->Post([h] { h.resume(); });
  }
}

void Semaphore::Free() {
  if (waiters_.empty()) {
    ++free_;
    return;
  }
  auto h = waiters_.front();
  waiters_.pop_front();
  loop_->Post([h] { h.resume(); });
}

Task<void> Group::Count(Task<void> task) {
  co_await std::move(task);
  if (--running_ > 0) co_return;
  for (auto h : std::exchange(waiters_, {})) {
    loop_->Post([h] { h.resume(); });
  }
}

void Group::Spawn(Task<void> task) {
  ++running_;
  loop_->Spawn(Count(std::move(task)));
}

WorkerPool::WorkerPool(Loop& loop, int threads) : loop_(&loop) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (auto& t : threads_) t.join();
}

void WorkerPool::Submit(std::function<void()> fn) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(fn));
  }
  wake_.notify_one();
}

void WorkerPool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (queue_.empty()) {
      if (closing_) return;
      wake_.wait(lock);
      continue;
    }
    auto fn = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    fn();
    fn = nullptr;
    lock.lock();
  }
}

Task<void> Sleep(Loop& loop, std::chrono::milliseconds delay) {
  Completion<bool> done(loop);
  loop.PostAfter(delay, [done] { done.Set(true); });
  co_await done;
}

}  // namespace kingpost
