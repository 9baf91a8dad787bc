// SPDX-License-Identifier: Apache-2.0
// Checks single tasks: when they start, how they end, and that a task that is never awaited releases its arguments.
#include "base/task.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "base/loop.h"

namespace kingpost::task_test {

Task<void> Add(std::vector<int>* order, int number) {
  order->push_back(number);
  co_return;
}

Task<std::unique_ptr<int>> Make(int number) { co_return std::make_unique<int>(number); }

Task<void> Hold(std::shared_ptr<int> held, Event* event) {
  co_await *event;
  ++*held;
}

Task<int> Sum(int levels) {
  if (levels == 0) co_return 0;
  auto rest = Sum(levels - 1);
  co_return levels + co_await std::move(rest);
}

TEST_CASE("a task starts when it is awaited, and its awaiter goes on when it has ended") {
  Loop loop;
  std::vector<int> order;
  const auto run = [](std::vector<int>* order) -> Task<void> {
    auto second = Add(order, 2);
    auto first = Add(order, 1);
    order->push_back(0);
    co_await std::move(first);
    co_await std::move(second);
    order->push_back(3);
  };
  loop.RunUntilDone(run(&order));
  CHECK(order == std::vector{0, 1, 2, 3});
}

TEST_CASE("a task that is never awaited runs nothing and releases its arguments") {
  Loop loop;
  Event event(loop);
  const auto held = std::make_shared<int>(0);
  { auto task = Hold(held, &event); }
  CHECK(*held == 0);
  CHECK(held.use_count() == 1);
}

TEST_CASE("a task brings values that can only be moved") {
  Loop loop;
  CHECK(*loop.RunUntilDone(Make(7)) == 7);
}

TEST_CASE("each of a hundred tasks awaits the next") {
  Loop loop;
  CHECK(loop.RunUntilDone(Sum(100)) == 5050);
}

TEST_CASE("a task that is overwritten before it was awaited releases its arguments") {
  Loop loop;
  Event event(loop);
  const auto first = std::make_shared<int>(0), second = std::make_shared<int>(0);
  Task<void> task = Hold(first, &event);
  task = Hold(second, &event);
  CHECK(first.use_count() == 1);
  CHECK(second.use_count() == 2);
  Task<void> moved = std::move(task);
  CHECK(second.use_count() == 2);
  event.Set();
  loop.RunUntilDone(std::move(moved));
  CHECK(*second == 1);
  CHECK(second.use_count() == 1);
}

TEST_CASE("spawned tasks run on a later turn of the loop, in their order") {
  Loop loop;
  std::vector<int> order;
  loop.Spawn(Add(&order, 1));
  loop.Spawn(Add(&order, 2));
  CHECK(order.empty());
  loop.RunUntilIdle();
  CHECK(order == std::vector{1, 2});
}

}  // namespace kingpost::task_test
