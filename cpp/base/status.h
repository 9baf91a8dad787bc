// SPDX-License-Identifier: Apache-2.0
// Failures of the outside world, as values.
//
// A Status is OK or one code with one sentence; a Result<T> is a T or a failed Status. The codes and
// their numbers are gRPC's, so that a provider's answer passes through without translation.
// Mistakes of the user are reported once to the event sink and travel as kBail; mistakes of our own
// are assertions (KP_ASSERT), which stay on in release builds.
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace kingpost {

enum class Code : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
  kBail = 100,  // already reported to the user: fail, but print nothing more
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  static Status Ok() { return {}; }
  static Status Bail(std::string message = "") { return {Code::kBail, std::move(message)}; }

  bool ok() const { return code_ == Code::kOk; }
  bool bail() const { return code_ == Code::kBail; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }

  // "context: message", with the same code and detail.
  Status Wrap(const std::string& context) const {
    Status wrapped = *this;
    if (!ok()) wrapped.message_ = context + ": " + message_;
    return wrapped;
  }

  // A typed detail, for example the partial state of a resource whose initialisation failed.
  template <class D>
  Status& With(D detail) {
    detail_ = std::make_shared<const std::any>(std::move(detail));
    return *this;
  }
  template <class D>
  const D* detail() const {
    return detail_ ? std::any_cast<D>(detail_.get()) : nullptr;
  }

 private:
  Code code_ = Code::kOk;
  std::string message_;
  std::shared_ptr<const std::any> detail_;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}         // NOLINT: implicit by design
  Result(Status status) : value_(std::move(status)) {}  // NOLINT: implicit by design
  Result(Code code, std::string message) : value_(Status(code, std::move(message))) {}

  bool ok() const { return value_.index() == 0; }
  Status status() const { return ok() ? Status() : std::get<1>(value_); }
  T& value() & { return std::get<0>(value_); }
  const T& value() const& { return std::get<0>(value_); }
  T&& value() && { return std::get<0>(std::move(value_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  // By value: a loop over *F() must not run on a value that is gone.
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Status> value_;
};

// Stops the process with a message when our own code broke a promise. Never compiled out.
[[noreturn]] void AssertionFailed(const char* condition, const char* message, const char* file, int line);

#define KP_ASSERT(condition, message) \
  ((condition) ? void(0) : ::kingpost::AssertionFailed(#condition, message, __FILE__, __LINE__))

// Leaves the function with the status if it is not ok; KP_CO_TRY leaves a coroutine, and may await.
#define KP_TRY(expression) \
  if (::kingpost::Status kp_status = (expression); !kp_status.ok()) return kp_status
#define KP_CO_TRY(expression) \
  if (::kingpost::Status kp_status = (expression); !kp_status.ok()) co_return kp_status

}  // namespace kingpost
