// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/schedule.h"

#include <catch2/catch.hpp>
#include <random>

namespace kingpost::fleet::schedule_test {

using State = Schedule::State;
using Members = std::vector<Schedule::Member>;

// Members a, b, ... with these recorded references, by index.
Members Named(const std::vector<std::vector<size_t>>& references) {
  Members members;
  for (size_t i = 0; i < references.size(); ++i) {
    members.push_back({std::string(1, static_cast<char>('a' + i)), references[i], {}});
  }
  return members;
}

// The members that may begin or go on now: "a", "b!" for one that goes on.
std::string Moves(Schedule* schedule) {
  std::string moves;
  while (const auto move = schedule->Next()) moves += schedule->name(move->member) + (move->resumes ? "! " : " ");
  return moves.empty() ? moves : moves.substr(0, moves.size() - 1);
}

TEST_CASE("members without references begin at once, as many as there are slots", "[fleet]") {
  Schedule schedule(Named({{}, {}, {}}), 2);
  CHECK(Moves(&schedule) == "a b");
  schedule.Ended(0, State::kDone);
  CHECK(Moves(&schedule) == "c");
  CHECK_FALSE(schedule.IsOver());
  schedule.Ended(1, State::kDone);
  schedule.Ended(2, State::kDone);
  CHECK(schedule.IsOver());
}

TEST_CASE("a member begins after the members that its last run read, and after those in its after list", "[fleet]") {
  Members members = Named({{1}, {}, {}});
  members[2].after = {0};
  Schedule schedule(members, 4);
  CHECK(Moves(&schedule) == "b");
  CHECK(schedule.WaitsFor(0) == std::vector<size_t>{1});
  schedule.Ended(1, State::kDone);
  CHECK(Moves(&schedule) == "a");
  schedule.Ended(0, State::kDone);
  CHECK(Moves(&schedule) == "c");
}

TEST_CASE("a member that waits for another holds no slot, and goes on before others begin", "[fleet]") {
  Schedule schedule(Named({{}, {}, {}}), 1);
  CHECK(Moves(&schedule) == "a");
  bool waits = false;
  CHECK(schedule.Read(0, 2, &waits).ok());
  CHECK(waits);
  CHECK(Moves(&schedule) == "c");  // because a waits for it, and before b
  schedule.Ended(2, State::kDone);
  CHECK(Moves(&schedule) == "a!");
  CHECK(schedule.OutcomeOf(2).ok());
  schedule.Ended(0, State::kDone);
  CHECK(Moves(&schedule) == "b");
}

TEST_CASE("a member that is done is read at once", "[fleet]") {
  Schedule schedule(Named({{}, {}}), 2);
  Moves(&schedule);
  schedule.Ended(0, State::kDone);
  bool waits = true;
  CHECK(schedule.Read(1, 0, &waits).ok());
  CHECK_FALSE(waits);
}

TEST_CASE("members that depend on a failed one are skipped with its name, and the others run", "[fleet]") {
  Schedule schedule(Named({{}, {0}, {1}, {}}), 4);
  CHECK(Moves(&schedule) == "a d");
  schedule.Ended(0, State::kFailed);
  CHECK(schedule.state(1) == State::kSkipped);
  CHECK(schedule.state(2) == State::kSkipped);
  CHECK(schedule.because(2) == size_t{0});
  CHECK(schedule.OutcomeOf(2).message() == "the stack 'c' was skipped because 'a' failed, so its outputs are unknown");
  CHECK_FALSE(schedule.IsOver());
  schedule.Ended(3, State::kDone);
  CHECK(schedule.IsOver());
}

TEST_CASE("a member that waits for one that fails goes on, and learns it", "[fleet]") {
  Schedule schedule(Named({{}, {}}), 2);
  Moves(&schedule);
  bool waits = false;
  CHECK(schedule.Read(1, 0, &waits).ok());
  schedule.Ended(0, State::kFailed);
  CHECK(Moves(&schedule) == "b!");
  CHECK(schedule.OutcomeOf(0).message() == "the stack 'a' failed, so its outputs are unknown");
}

TEST_CASE("a recorded cycle is found with its path", "[fleet]") {
  CHECK(Schedule(Named({{}, {0}, {0, 1}}), 1).FindCycle().empty());
  CHECK(Schedule(Named({{0}}), 1).FindCycle().empty());  // a stack that reads its own last outputs is no circle
  const Schedule schedule(Named({{}, {0, 2}, {3}, {1}}), 1);
  CHECK(schedule.NamesOf(schedule.FindCycle()) == "b → c → d → b");
  Members members = Named({{1}, {}});
  members[1].after = {0};
  CHECK(Schedule(members, 1).FindCycle() == std::vector<size_t>{0, 1, 0});
}

TEST_CASE("a circle that closes while members run fails the read that closes it", "[fleet]") {
  Schedule schedule(Named({{}, {}, {}}), 3);
  Moves(&schedule);
  bool waits = false;
  CHECK(schedule.Read(0, 1, &waits).ok());
  CHECK(schedule.Read(1, 2, &waits).ok());
  const Status closing = schedule.Read(2, 0, &waits);
  CHECK(
      closing.message() ==
      "stacks read each other in a cycle: c → a → b → c; change one program so that it does not read the other stack");
  schedule.Ended(2, State::kFailed);
  CHECK(Moves(&schedule) == "b!");
}

TEST_CASE("a read of a member that comes after the reader closes a circle, too", "[fleet]") {
  Members members = Named({{}, {}});
  members[1].after = {0};
  Schedule schedule(members, 2);
  CHECK(Moves(&schedule) == "a");
  bool waits = false;
  CHECK_FALSE(schedule.Read(0, 1, &waits).ok());
}

TEST_CASE("outdated references do not delay a member that others wait for", "[fleet]") {
  // b's last run read a; now a reads b.
  Schedule schedule(Named({{}, {0}}), 1);
  CHECK(Moves(&schedule) == "a");
  bool waits = false;
  CHECK(schedule.Read(0, 1, &waits).ok());
  CHECK(Moves(&schedule) == "b");
  schedule.Ended(1, State::kDone);
  CHECK(Moves(&schedule) == "a!");
}

TEST_CASE("no more than a few programs for each slot wait, except those that others wait for", "[fleet]") {
  std::vector<std::vector<size_t>> references(20);
  Schedule schedule(Named(references), 1);
  bool waits = false;
  std::string begun;
  // Each reads the last one, which cannot begin: it is never over.
  for (size_t i = 0; i < 30; ++i) {
    const auto move = schedule.Next();
    if (!move) break;
    begun += schedule.name(move->member);
    if (move->member != 19) REQUIRE(schedule.Read(move->member, 19, &waits).ok());
  }
  CHECK(begun == "at");  // the member that others wait for comes first
  schedule.Ended(19, State::kDone);
  CHECK(Moves(&schedule) == "a!");
}

TEST_CASE("after a stop no member begins, and waiting ones get an error", "[fleet]") {
  Schedule schedule(Named({{}, {}, {1}}), 2);
  CHECK(Moves(&schedule) == "a b");
  bool waits = false;
  CHECK(schedule.Read(0, 1, &waits).ok());
  schedule.Stop();
  CHECK(schedule.state(2) == State::kSkipped);
  CHECK_FALSE(schedule.because(2));
  CHECK(Moves(&schedule) == "a!");
  CHECK(schedule.OutcomeOf(1).code() == Code::kCancelled);
  schedule.Ended(0, State::kFailed);
  schedule.Ended(1, State::kDone);
  CHECK(schedule.IsOver());
}

TEST_CASE("a destroy goes the other way round", "[fleet]") {
  Members members = Named({{}, {0}, {}});
  members[2].after = {1};
  Schedule schedule(Schedule::Reversed(members), 4);
  CHECK(Moves(&schedule) == "c");
  schedule.Ended(2, State::kDone);
  CHECK(Moves(&schedule) == "b");
  schedule.Ended(1, State::kDone);
  CHECK(Moves(&schedule) == "a");
}

// Programs that read whomever they like, in any order, never come to a standstill: each is over at last.
TEST_CASE("fleets made by chance come to their end, with no more members under way than slots", "[fleet]") {
  const auto seed = GENERATE(range(0U, 300U));
  INFO("seed " << seed);
  std::minstd_rand random(seed + 1);
  const auto below = [&random](size_t n) { return static_cast<size_t>(random()) % n; };
  const size_t count = 1 + below(12);
  std::vector<std::vector<size_t>> recorded(count), wanted(count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = below(4); k > 0; --k) wanted[i].push_back(below(count));
    for (size_t k = below(3); k > 0 && i > 0; --k) recorded[i].push_back(below(i));
  }
  const int slots = 1 + static_cast<int>(below(3));
  Schedule schedule(Named(recorded), slots);
  std::vector<size_t> running, read(count);
  for (int turn = 0; turn < 2000 && !schedule.IsOver(); ++turn) {
    while (const auto move = schedule.Next()) running.push_back(move->member);
    REQUIRE(running.size() <= static_cast<size_t>(slots));
    REQUIRE_FALSE(running.empty());
    const size_t at = below(running.size());
    const size_t member = running[at];
    bool waits = false;
    if (read[member] < wanted[member].size()) {
      const size_t target = wanted[member][read[member]++];
      if (target == member) continue;
      const Status answer = schedule.Read(member, target, &waits);
      if (answer.ok() && !waits) continue;
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
      if (!answer.ok()) schedule.Ended(member, State::kFailed);
      continue;
    }
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    schedule.Ended(member, below(8) == 0 ? State::kFailed : State::kDone);
  }
  CHECK(schedule.IsOver());
}

}  // namespace kingpost::fleet::schedule_test
