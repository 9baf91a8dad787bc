// SPDX-License-Identifier: Apache-2.0
// BatchSender: batches of a journal on their way into a store, several at a time, because each spends its time waiting
// for the service. They may arrive in any order; a caller gets its answer once its batch and all before it have
// arrived.
//
//     1 stored   2 on its way   3 stored          1 is told; 3 waits for 2
//     1 stored   2 failed       3 stored          2 and 3 are told of 2's failure; the next Add sends 2 once more
//
// Any thread; threads are started as there is work for them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"

namespace kingpost {

class BatchSender {
 public:
  static constexpr size_t kInFlightMax = 4;

  using Send = std::function<Status(uint64_t number, const std::string& bytes)>;  // several at a time
  using Settled = std::function<void()>;

  explicit BatchSender(Send send) : send_(std::move(send)) {}
  ~BatchSender();  // after what is in flight
  BatchSender(const BatchSender&) = delete;

  // Sends `bytes` as the next batch, unless they are "", and once more whatever has failed. Waits while too many are in
  // flight. `settled` is called when nothing up to here is under way any more, in the order of the calls, one at a
  // time.
  void Add(std::string bytes, Settled settled);

  uint64_t added() const { return added_; }
  // The failure of the first batch that is not stored, as of the last that was settled.
  Status trouble();
  bool all_stored();  // while nothing is under way
  // How long a batch takes of late.
  std::chrono::microseconds round_trip() const { return std::chrono::microseconds(round_trip_us_); }

 private:
  enum class State { kWaiting, kSending, kStored, kFailed };
  struct Batch {
    uint64_t number = 0;
    std::string bytes;
    Settled settled;
    State state = State::kWaiting;
    Status failure;
    bool under_way() const { return state == State::kWaiting || state == State::kSending; }
  };

  void Run();
  Batch* NextWaiting();
  size_t UnderWay() const;
  void Settle(std::unique_lock<std::mutex>* lock);
  Settled NextSettled();

  const Send send_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Batch> batches_;  // but for those that are stored, as all before them, and settled
  std::vector<std::thread> threads_;
  size_t idle_ = 0;
  Status trouble_;
  bool settling_ = false, stopping_ = false;
  std::atomic<uint64_t> added_{0};
  std::atomic<int64_t> round_trip_us_{0};
};

}  // namespace kingpost
