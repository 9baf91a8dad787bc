// SPDX-License-Identifier: Apache-2.0
// Checks events and groups: which tasks wait, and when each goes on.
#include <catch2/catch.hpp>
#include <vector>

#include "base/loop.h"

namespace kingpost::event_test {

Task<void> NoteWhenSet(Event* event, std::vector<int>* order, int number) {
  co_await *event;
  order->push_back(number);
}

Task<void> NoteWhenDone(Group* group, std::vector<int>* order, int number) {
  co_await group->Wait();
  order->push_back(number);
}

Task<void> SpawnMore(Group* group, Event* event, std::vector<int>* order, int depth) {
  co_await *event;
  if (depth > 0) group->Spawn(SpawnMore(group, event, order, depth - 1));
  order->push_back(depth);
}

TEST_CASE("tasks that wait for an event go on in the order in which they came") {
  Loop loop;
  Event event(loop);
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) loop.Spawn(NoteWhenSet(&event, &order, i));
  loop.RunUntilIdle();
  CHECK(order.empty());
  event.Set();
  CHECK(order.empty());  // each on a turn of its own, not inside Set
  loop.RunUntilIdle();
  CHECK(order == std::vector{0, 1, 2, 3, 4});
}

TEST_CASE("an event stays set, and setting it again wakes no task twice") {
  Loop loop;
  Event event(loop);
  std::vector<int> order;
  loop.Spawn(NoteWhenSet(&event, &order, 1));
  loop.RunUntilIdle();
  event.Set();
  event.Set();
  loop.Spawn(NoteWhenSet(&event, &order, 2));
  loop.RunUntilIdle();
  CHECK(event.is_set());
  CHECK(order == std::vector{1, 2});
}

TEST_CASE("a task that waited for an event may set another one") {
  Loop loop;
  Event first(loop), second(loop);
  std::vector<int> order;
  const auto pass_on = [](Event* from, Event* to) -> Task<void> {
    co_await *from;
    to->Set();
  };
  loop.Spawn(NoteWhenSet(&second, &order, 1));
  loop.Spawn(pass_on(&first, &second));
  loop.RunUntilIdle();
  first.Set();
  loop.RunUntilIdle();
  CHECK(order == std::vector{1});
}

TEST_CASE("waiting for a group without tasks returns at once") {
  Loop loop;
  Group group(loop);
  std::vector<int> order;
  loop.RunUntilDone(NoteWhenDone(&group, &order, 1));
  CHECK(order == std::vector{1});
}

TEST_CASE("a group counts each spawned task until it ends, the tasks that its own tasks spawn included") {
  Loop loop;
  Group group(loop);
  Event event(loop);
  std::vector<int> order;
  group.Spawn(SpawnMore(&group, &event, &order, 3));
  CHECK(group.running() == 1);
  for (int waiter : {100, 101}) loop.Spawn(NoteWhenDone(&group, &order, waiter));
  loop.RunUntilIdle();
  CHECK(order.empty());
  event.Set();
  loop.RunUntilIdle();
  CHECK(group.running() == 0);
  CHECK(order == std::vector{3, 2, 1, 0, 100, 101});
}

TEST_CASE("a group that was empty can be used again") {
  Loop loop;
  Group group(loop);
  std::vector<int> order;
  for (int round = 0; round < 3; ++round) {
    Event event(loop);
    group.Spawn(NoteWhenSet(&event, &order, round));
    loop.Spawn(NoteWhenDone(&group, &order, 10 + round));
    loop.RunUntilIdle();
    event.Set();
    loop.RunUntilIdle();
  }
  CHECK(order == std::vector{0, 10, 1, 11, 2, 12});
}

}  // namespace kingpost::event_test
