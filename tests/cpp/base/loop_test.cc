// SPDX-License-Identifier: Apache-2.0
// Checks the loop and its inbox: which thread runs a callback, in which order, and what happens to one that comes too
// late.
#include "base/loop.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

namespace kingpost::loop_test {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST_CASE("the loop's thread runs the callbacks of many threads, each thread's in order") {
  constexpr int kThreads = 4, kPosts = 500;
  Loop loop;
  std::vector<int> next(kThreads, 0);
  int missing = kThreads * kPosts, disorder = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kPosts; ++i) {
        loop.Post([&, thread, i] {
          disorder += next[thread]++ != i || !loop.OnLoopThread();
          if (--missing == 0) loop.Stop();
        });
      }
    });
  }
  loop.Run();
  for (auto& thread : threads) thread.join();
  CHECK(disorder == 0);
  CHECK(missing == 0);
}

TEST_CASE("a callback posted while the loop runs comes after those already posted") {
  Loop loop;
  std::vector<int> order;
  loop.Post([&] {
    order.push_back(1);
    loop.Post([&] { order.push_back(3); });
  });
  loop.Post([&] { order.push_back(2); });
  loop.RunUntilIdle();
  CHECK(order == std::vector{1, 2, 3});
}

TEST_CASE("after a stop the rest waits, in its order, for the next run") {
  Loop loop;
  std::vector<int> order;
  loop.Post([&] {
    order.push_back(1);
    loop.Post([&] { order.push_back(4); });
    loop.Stop();
  });
  loop.Post([&] { order.push_back(2); });
  loop.Post([&] { order.push_back(3); });
  loop.Run();
  CHECK(order == std::vector{1});
  loop.Post([&] { loop.Stop(); });
  loop.Run();
  CHECK(order == std::vector{1, 2, 3, 4});
}

TEST_CASE("another thread can stop a loop that has nothing to do, or waits for a timer") {
  for (const bool timer : {false, true}) {
    Loop loop;
    if (timer) loop.PostAfter(hours(1), [] {});
    std::thread stopper;
    loop.Post([&] { stopper = std::thread([&loop] { loop.Stop(); }); });
    loop.Run();
    stopper.join();
  }
}

TEST_CASE("timers run in the order of their times, those of one time in the order they came") {
  Loop loop;
  std::vector<int> order;
  loop.PostAfter(milliseconds(20), [&] {
    order.push_back(4);
    loop.Stop();
  });
  loop.PostAfter(hours(1), [&] { order.push_back(5); });
  loop.PostAfter(milliseconds(-2), [&] { order.push_back(1); });
  loop.PostAfter(milliseconds(-1), [&] { order.push_back(2); });
  loop.PostAfter(milliseconds(0), [&] { order.push_back(3); });
  loop.Run();
  CHECK(order == std::vector{1, 2, 3, 4});
}

TEST_CASE("a timer of another thread wakes a loop that waits for a later one") {
  Loop loop;
  loop.PostAfter(hours(1), [] {});
  std::thread other([&loop] { loop.PostAfter(milliseconds(1), [&loop] { loop.Stop(); }); });
  loop.Run();
  other.join();
}

TEST_CASE("a loop that runs until it is idle waits for no timer") {
  Loop loop;
  bool ran = false;
  loop.PostAfter(milliseconds(0), [&] { ran = true; });
  loop.RunUntilIdle();
  CHECK_FALSE(ran);
}

TEST_CASE("a callback posted after the loop is destroyed is released at once and never runs") {
  const auto held = std::make_shared<int>(0);
  std::shared_ptr<Inbox> inbox;
  {
    Loop loop;
    inbox = loop.inbox();
  }
  std::thread late([&] {
    inbox->Post([held] { ++*held; });
    inbox->PostAfter(milliseconds(0), [held] { ++*held; });
    inbox->Spawn([](std::shared_ptr<int> number) -> Task<void> {
      ++*number;
      co_return;
    }(held));
  });
  late.join();
  CHECK(*held == 0);
  CHECK(held.use_count() == 1);
}

TEST_CASE("a destroyed loop drops its callbacks, and those that their release posts") {
  const auto kept = std::make_shared<int>(0);
  std::shared_ptr<Inbox> inbox;
  {
    Loop loop;
    inbox = loop.inbox();
    const auto post_on_release = [inbox, kept](int* number) {
      delete number;
      inbox->Post([kept] {});
    };
    const std::shared_ptr<int> last_words(new int(1), post_on_release);
    loop.Post([kept, last_words] {});
    loop.PostAfter(hours(1), [kept] {});
    CHECK(kept.use_count() == 5);
  }
  CHECK(kept.use_count() == 1);
}

TEST_CASE("workers run blocking work on their own threads, and its result arrives on the loop") {
  Loop loop;
  WorkerPool workers(loop, 3);
  const auto run = [](Loop* loop, WorkerPool* workers) -> Task<int> {
    int sum = 0;
    for (int i = 1; i <= 100; ++i) {
      auto work = [i, loop] { return loop->OnLoopThread() ? -1000 : i; };
      auto working = workers->Run(work);
      sum += co_await std::move(working);
    }
    co_return sum;
  };
  CHECK(loop.RunUntilDone(run(&loop, &workers)) == 5050);
}

TEST_CASE("a destroyed pool of workers finishes its submitted work first") {
  Loop loop;
  std::atomic<int> done = 0;
  {
    WorkerPool workers(loop, 2);
    for (int i = 0; i < 50; ++i) workers.Submit([&done] { ++done; });
  }
  CHECK(done == 50);
}

}  // namespace kingpost::loop_test
