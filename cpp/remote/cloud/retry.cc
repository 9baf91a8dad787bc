// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/retry.h"

#include <algorithm>
#include <optional>

#include "base/time_text.h"
#include "base/wait_scope.h"

namespace kingpost {

namespace {

constexpr int64_t kRetryCost = 5;
constexpr int64_t kSuccessGain = 1;
constexpr int kAtOnceMax = 3;  // requests made anew without a pause; a service that wants more is in disorder

// Seconds or a date; -1 if there is none.
int64_t RetryAfterMs(const HttpResponse& response, int64_t now_ms) {
  const std::string text = response.header("retry-after");
  if (text.empty()) return -1;
  if (text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos) return std::stoll(text) * 1000;
  const int64_t date = ParseHttpDate(text);
  return date < 0 ? -1 : std::max<int64_t>(0, date - now_ms);
}

// "https://host:port"
std::string ServerOf(const std::string& url) {
  const std::string plain = PrintableUrl(url);
  const size_t host = plain.find("://");
  return plain.substr(0, host == std::string::npos ? host : plain.find('/', host + 3));
}

Verdict JudgeByStatus(const Result<HttpResponse>& seen) {
  return IsTransientFailure(seen) ? Verdict::kAgain : Verdict::kFinal;
}

}  // namespace

bool RetryBudget::TakeRetry() {
  if (capacity_ == 0) return true;
  std::lock_guard<std::mutex> lock(mutex_);
  if (left_ < kRetryCost) return false;
  left_ -= kRetryCost;
  return true;
}

void RetryBudget::GiveBack() {
  std::lock_guard<std::mutex> lock(mutex_);
  left_ = std::min(capacity_, left_ + kSuccessGain);
}

bool IsTransientFailure(const Result<HttpResponse>& response) {
  if (!response.ok()) return response.status().code() == Code::kUnavailable;
  switch (response.value().status) {
    case 408:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return true;
    default:
      return false;
  }
}

Result<Answer> Retrier::Send(const Make& make, const Judge& judge) const {
  Answer answer;
  int at_once = 0;
  std::optional<WaitScope> waiting;  // for all attempts together
  for (int attempt = 1;; ++attempt) {
    const Result<HttpRequest> request = make();
    if (!request.ok()) return request.status();
    if (!waiting) waiting.emplace(ServerOf(request->url));
    Result<HttpResponse> seen = io_->send(*request);
    answer.attempts = attempt;
    const Verdict verdict = judge ? judge(seen) : JudgeByStatus(seen);
    const bool anew = verdict == Verdict::kAtOnce && ++at_once <= kAtOnceMax;
    const bool later =
        verdict == Verdict::kAgain && attempt - at_once < policy_.attempts_max && (!budget_ || budget_->TakeRetry());
    if (!anew && !later) {
      if (!seen.ok()) return seen.status();
      if (seen->ok() && budget_) budget_->GiveBack();
      answer.response = std::move(*seen);
      return answer;
    }
    if (later) io_->sleep_ms(Pause(attempt - at_once, seen));
  }
}

int64_t Retrier::Pause(int attempt, const Result<HttpResponse>& seen) const {
  const int64_t most = std::min(policy_.delay_max_ms, policy_.first_delay_ms << std::min(attempt - 1, 30));
  const int64_t pause = static_cast<int64_t>(static_cast<double>(most) * io_->chance());
  if (!seen.ok()) return pause;
  const int64_t asked = RetryAfterMs(seen.value(), io_->now_ms());
  return asked < 0 ? pause : std::min(policy_.retry_after_max_ms, asked + pause);
}

}  // namespace kingpost
