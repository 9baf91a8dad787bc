// SPDX-License-Identifier: Apache-2.0
// Repeats requests as long as the service says that this can help: later each time, by a chance of its own for each
// client, and no sooner than Retry-After says.
#pragma once

#include <mutex>
#include <string>

#include "remote/cloud/io.h"

namespace kingpost {

struct RetryPolicy {
  int attempts_max = 5;
  int64_t first_delay_ms = 100;  // the most that is waited after the first attempt; doubles with each
  int64_t delay_max_ms = 20'000;
  int64_t retry_after_max_ms = 60'000;
};

// So many retries may be under way that a service in trouble is not asked ever more: each takes from the budget, each
// success gives a little back. Any thread.
class RetryBudget {
 public:
  explicit RetryBudget(int64_t capacity) : capacity_(capacity), left_(capacity) {}  // 0: without limit
  bool TakeRetry();
  void GiveBack();

 private:
  std::mutex mutex_;
  const int64_t capacity_;
  int64_t left_;
};

// The verdict on an answer, or on none.
enum class Verdict {
  kFinal,   // good or bad, it stays so
  kAgain,   // after a pause
  kAtOnce,  // the request itself is made anew: a renewed credential, a corrected clock
};

struct Answer {
  HttpResponse response;
  int attempts = 0;
};

// Transport failures, 408, 429, 500, 502, 503 and 504.
bool IsTransientFailure(const Result<HttpResponse>& response);

class Retrier {
 public:
  Retrier(std::shared_ptr<const CloudIo> io, RetryPolicy policy, std::shared_ptr<RetryBudget> budget = nullptr)
      : io_(std::move(io)), policy_(policy), budget_(std::move(budget)) {}

  using Make = std::function<Result<HttpRequest>()>;                       // once for each attempt
  using Judge = std::function<Verdict(const Result<HttpResponse>& seen)>;  // null: by IsTransientFailure()

  Result<Answer> Send(const Make& make, const Judge& judge = nullptr) const;

 private:
  int64_t Pause(int attempt, const Result<HttpResponse>& seen) const;

  std::shared_ptr<const CloudIo> io_;
  RetryPolicy policy_;
  std::shared_ptr<RetryBudget> budget_;
};

}  // namespace kingpost
