// SPDX-License-Identifier: Apache-2.0
// Task<T>: a lazy coroutine that is awaited by exactly one other coroutine, on one thread.
//
// A Task starts when it is awaited (or spawned on a Loop) and resumes its awaiter directly when it
// ends. It is not thread safe: everything that crosses threads goes through Loop::Post. Exceptions
// do not cross a Task: an escaped one ends the process, because failures travel as Status.
//
// GCC 12 miscompiles braced temporaries and capturing lambdas inside a co_await expression: name
// the awaited arguments first.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace kingpost {

template <class T>
class Task;

namespace internal {

struct TaskPromiseBase {
  std::coroutine_handle<> awaiter;

  struct FinalAwaiter {
    bool await_ready() noexcept { return false; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
      auto next = h.promise().awaiter;
      return next ? next : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };

  std::suspend_always initial_suspend() noexcept { return {}; }
  FinalAwaiter final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { std::terminate(); }
};

template <class T>
struct TaskPromise : TaskPromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  template <class U>
  void return_value(U&& v) {
    value.emplace(std::forward<U>(v));
  }
  T Take() { return std::move(*value); }
};

template <>
struct TaskPromise<void> : TaskPromiseBase {
  Task<void> get_return_object();
  void return_void() noexcept {}
  void Take() {}
};

}  // namespace internal

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = internal::TaskPromise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  auto operator co_await() && noexcept {
    struct Awaiter {
      Handle handle;
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiter) noexcept {
        handle.promise().awaiter = awaiter;
        return handle;
      }
      T await_resume() { return handle.promise().Take(); }
    };
    return Awaiter{handle_};
  }

 private:
  Handle handle_;
};

namespace internal {
template <class T>
Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<TaskPromise<T>>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<TaskPromise<void>>::from_promise(*this));
}
}  // namespace internal

}  // namespace kingpost
