// SPDX-License-Identifier: Apache-2.0
// Checks semaphores and mutexes: how many tasks are inside at once, and which comes next.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "base/loop.h"

namespace kingpost::semaphore_test {

struct Room {
  int inside = 0;
  int most = 0;
  std::vector<int> order;
};

// Enters, and stays for as many turns of the loop as its number says.
Task<void> Visit(Loop* loop, Semaphore* door, Room* room, int number, int turns) {
  const auto permit = co_await door->Acquire();
  room->most = std::max(room->most, ++room->inside);
  room->order.push_back(number);
  for (int i = 0; i < turns; ++i) co_await Sleep(*loop, std::chrono::milliseconds(0));
  --room->inside;
}

Task<void> VisitAll(Loop* loop, Semaphore* door, Room* room, int visitors) {
  Group group(*loop);
  for (int i = 0; i < visitors; ++i) group.Spawn(Visit(loop, door, room, i, i % 3));
  co_await group.Wait();
}

std::vector<int> Numbers(int count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST_CASE("no more than its count pass a semaphore, first come first served") {
  for (int count = 1; count <= 3; ++count) {
    for (int visitors = 0; visitors <= 7; ++visitors) {
      CAPTURE(count, visitors);
      Loop loop;
      Semaphore door(loop, count);
      Room room;
      loop.RunUntilDone(VisitAll(&loop, &door, &room, visitors));
      CHECK(room.inside == 0);
      CHECK(room.most <= count);
      CHECK(room.order == Numbers(visitors));
    }
  }
}

TEST_CASE("a mutex lets one pass") {
  Loop loop;
  Mutex door(loop);
  Room room;
  loop.RunUntilDone(VisitAll(&loop, &door, &room, 6));
  CHECK(room.most == 1);
  CHECK(room.order == Numbers(6));
}

TEST_CASE("a free permit goes to the task that waits, not to one that arrives just then") {
  Loop loop;
  Semaphore door(loop, 1);
  Room room;
  const auto run = [](Loop* loop, Semaphore* door, Room* room) -> Task<void> {
    auto permit = co_await door->Acquire();
    Group group(*loop);
    group.Spawn(Visit(loop, door, room, 1, 0));
    co_await Sleep(*loop, std::chrono::milliseconds(0));
    permit.Release();
    co_await Visit(loop, door, room, 2, 0);
    co_await group.Wait();
  };
  loop.RunUntilDone(run(&loop, &door, &room));
  CHECK(room.order == std::vector{1, 2});
}

TEST_CASE("a permit is given back once: when released, assigned over or destroyed") {
  Loop loop;
  Semaphore door(loop, 2);
  Room room;
  const auto run = [](Semaphore* door) -> Task<void> {
    auto first = co_await door->Acquire();
    auto second = co_await door->Acquire();
    first = std::move(second);  // gives the first back, and the second has gone elsewhere
    first.Release();
    first.Release();
  };
  loop.RunUntilDone(run(&door));
  loop.RunUntilDone(VisitAll(&loop, &door, &room, 6));
  CHECK(room.most == 2);
}

}  // namespace kingpost::semaphore_test
