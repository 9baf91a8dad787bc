// SPDX-License-Identifier: Apache-2.0
// Checks values that arrive from other threads: in time, twice, and after the loop has gone.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/loop.h"

namespace kingpost::completion_test {

using Shared = std::shared_ptr<int>;

template <class T>
Task<T> Receive(Completion<T> value) {
  co_return co_await value;
}

TEST_CASE("a value that another thread brings resumes its waiter on the loop") {
  Loop loop;
  Completion<int> value(loop);
  std::thread bringer([value] { value.Set(7); });
  const auto receive = [](Completion<int> value, const Loop* loop) -> Task<bool> {
    const int arrived = co_await value;
    co_return arrived == 7 && loop->OnLoopThread();
  };
  CHECK(loop.RunUntilDone(receive(value, &loop)));
  bringer.join();
}

TEST_CASE("the first of two values that arrive counts") {
  Loop loop;
  const Completion<int> value(loop);
  value.Set(1);
  value.Set(2);
  CHECK(loop.RunUntilDone(Receive(value)) == 1);
}

TEST_CASE("one of the values that many threads bring at once arrives, and the others are released") {
  for (int round = 0; round < 100; ++round) {
    Loop loop;
    std::vector<std::weak_ptr<int>> brought(4);
    {
      const Completion<Shared> value(loop);
      std::vector<std::thread> threads;
      for (size_t i = 0; i < brought.size(); ++i) {
        threads.emplace_back([value, &mine = brought[i]] {
          auto number = std::make_shared<int>(1);
          mine = number;
          value.Set(std::move(number));
        });
      }
      const Shared arrived = loop.RunUntilDone(Receive(value));
      for (auto& thread : threads) thread.join();
      loop.RunUntilIdle();
      const auto alive = [](const auto& number) { return !number.expired(); };
      CHECK(arrived);
      CHECK(std::count_if(brought.begin(), brought.end(), alive) == 1);
    }
    CHECK(std::all_of(brought.begin(), brought.end(), [](const auto& number) { return number.expired(); }));
  }
}

// The value that a run left behind: it holds the loop's inbox, and the inbox must not hold it.
std::weak_ptr<int> SetTooLate(bool from_a_thread) {
  std::optional<Completion<Shared>> value;
  {
    Loop loop;
    value.emplace(loop);
  }
  auto number = std::make_shared<int>(1);
  std::weak_ptr<int> left = number;
  if (from_a_thread) {
    std::thread([&] { value->Set(std::move(number)); }).join();
  } else {
    value->Set(std::move(number));
  }
  return left;
}

TEST_CASE("values that arrive after their loop was destroyed leak nothing, in a thousand runs") {
  int left = 0;
  for (int run = 0; run < 1000; ++run) left += !SetTooLate(run % 10 == 0).expired();
  CHECK(left == 0);
}

TEST_CASE("loops that are destroyed while a value arrives leak nothing, in a thousand runs") {
  int left = 0;
  for (int run = 0; run < 1000; ++run) {
    auto number = std::make_shared<int>(1);
    const std::weak_ptr<int> seen = number;
    std::thread bringer;
    {
      Loop loop;
      bringer = std::thread(
          [value = Completion<Shared>(loop), number = std::move(number)]() mutable { value.Set(std::move(number)); });
      loop.RunUntilIdle();
    }
    bringer.join();
    left += !seen.expired();
  }
  CHECK(left == 0);
}

}  // namespace kingpost::completion_test
