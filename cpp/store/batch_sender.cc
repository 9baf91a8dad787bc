// SPDX-License-Identifier: Apache-2.0
#include "store/batch_sender.h"

#include <algorithm>
#include <utility>

namespace kingpost {

BatchSender::~BatchSender() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

void BatchSender::Add(std::string bytes, Settled settled) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return UnderWay() < kInFlightMax; });
  for (Batch& batch : batches_) {
    if (batch.state == State::kFailed) batch.state = State::kWaiting;
  }
  Batch& added = batches_.emplace_back();
  added.state = bytes.empty() ? State::kStored : State::kWaiting;
  if (!bytes.empty()) added.number = ++added_;
  added.bytes = std::move(bytes);
  added.settled = std::move(settled);
  const size_t waiting = static_cast<size_t>(std::count_if(
      batches_.begin(), batches_.end(), [](const Batch& batch) { return batch.state == State::kWaiting; }));
  for (size_t free = idle_; free < waiting && threads_.size() < kInFlightMax; ++free) {
    threads_.emplace_back(&BatchSender::Run, this);
  }
  changed_.notify_all();
  Settle(&lock);
}

Status BatchSender::trouble() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return trouble_;
}

bool BatchSender::all_stored() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return batches_.empty();
}

size_t BatchSender::UnderWay() const {
  return static_cast<size_t>(
      std::count_if(batches_.begin(), batches_.end(), [](const Batch& batch) { return batch.under_way(); }));
}

BatchSender::Batch* BatchSender::NextWaiting() {
  const auto next =
      std::find_if(batches_.begin(), batches_.end(), [](const Batch& batch) { return batch.state == State::kWaiting; });
  return next == batches_.end() ? nullptr : &*next;
}

void BatchSender::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return stopping_ || NextWaiting(); });
    --idle_;
    Batch* const batch = NextWaiting();  // a list's elements stay where they are
    if (stopping_ || !batch) return;
    batch->state = State::kSending;
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    const Status sent = send_(batch->number, batch->bytes);
    const auto took = std::chrono::steady_clock::now() - begin;
    lock.lock();
    batch->state = sent.ok() ? State::kStored : State::kFailed;
    batch->failure = sent;
    const int64_t took_us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
    if (sent.ok()) round_trip_us_ = round_trip_us_ == 0 ? took_us : (3 * round_trip_us_ + took_us) / 4;
    Settle(&lock);
  }
}

// A thread that comes while another one reports leaves it to that one.
void BatchSender::Settle(std::unique_lock<std::mutex>* lock) {
  if (!settling_) {
    settling_ = true;
    while (const Settled settled = NextSettled()) {
      lock->unlock();
      settled();
      lock->lock();
    }
    settling_ = false;
  }
  changed_.notify_all();
}

BatchSender::Settled BatchSender::NextSettled() {
  Status trouble;
  for (auto batch = batches_.begin(); batch != batches_.end() && !batch->under_way();) {
    if (batch->state == State::kFailed && trouble.ok()) trouble = batch->failure;
    Settled settled = std::exchange(batch->settled, nullptr);
    if (settled) trouble_ = trouble;
    // A batch that is stored behind a failure need not be kept, either: the failure reports both.
    batch = batch->state == State::kStored ? batches_.erase(batch) : std::next(batch);
    if (settled) return settled;
  }
  return nullptr;
}

}  // namespace kingpost
