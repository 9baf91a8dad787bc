// SPDX-License-Identifier: Apache-2.0
// Then(task, convert): a task whose value is converted as it is handed over, without a coroutine of its own. Where many
// types of values share one coroutine, the coroutine is compiled once.
#pragma once

#include <coroutine>
#include <utility>

#include "base/task.h"

namespace kingpost {

// Awaited like the task, once.
template <class T, class Convert>
class [[nodiscard]] ConvertedTask {
 public:
  ConvertedTask(Task<T> task, Convert convert) : task_(std::move(task)), convert_(std::move(convert)) {}

  auto operator co_await() && noexcept {
    struct Awaiter {
      decltype(std::declval<Task<T>>().operator co_await()) inner;
      Convert* convert;
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiter) noexcept {
        return inner.await_suspend(awaiter);
      }
      auto await_resume() { return (*convert)(inner.await_resume()); }
    };
    return Awaiter{std::move(task_).operator co_await(), &convert_};
  }

 private:
  Task<T> task_;
  Convert convert_;
};

template <class T, class Convert>
ConvertedTask<T, Convert> Then(Task<T> task, Convert convert) {
  return ConvertedTask<T, Convert>(std::move(task), std::move(convert));
}

}  // namespace kingpost
