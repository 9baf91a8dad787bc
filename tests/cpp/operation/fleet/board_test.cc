// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/board.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <thread>

#include "operation/fleet/recorded_references.h"

namespace kingpost::fleet::board_test {

using State = Schedule::State;

std::vector<BoardMember> Members(const std::vector<std::string>& projects) {
  std::vector<BoardMember> members;
  for (const std::string& project : projects) {
    StackName stack;
    stack.project = project;
    stack.name = "prod";
    members.push_back({{project + "/prod", {}, {}}, "file:///store", stack});
  }
  return members;
}

ReadAnswer ReadAndWait(Board& board, size_t reader, size_t target) {
  std::promise<ReadAnswer> answered;
  board.Read(reader, target, [&answered](ReadAnswer answer) { answered.set_value(std::move(answer)); });
  return answered.get_future().get();
}

TEST_CASE("members on their own threads read the planned outputs of other members", "[fleet]") {
  constexpr size_t kCount = 40;
  std::vector<std::string> names;
  for (size_t i = 0; i < kCount; ++i) names.push_back("p" + std::to_string(i));
  Board board(Members(names), 3);
  std::atomic<int> under_way{0}, most{0};
  std::vector<std::string> heard(kCount);
  // Each reads the one after it: the first that begins waits for all others.
  RunMembers(board, [&](size_t member) {
    int now = ++under_way;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
    --under_way;
    auto planned = std::make_shared<Snapshot>();
    planned->secrets_type = std::to_string(member);
    if (member + 1 < kCount) {
      const ReadAnswer answer = ReadAndWait(board, member, member + 1);
      REQUIRE(answer.status.ok());
      heard[member] = answer.planned->secrets_type;
    }
    return MemberEnd{State::kDone, planned};
  });
  for (size_t i = 0; i + 1 < kCount; ++i) CHECK(heard[i] == std::to_string(i + 1));
  CHECK(most <= 3);
  CHECK(board.ViewOf(0).state == State::kDone);
  CHECK(board.TimesOf(0).reads == std::vector<size_t>{1});
}

TEST_CASE("members are found by their store and their name", "[fleet]") {
  std::vector<BoardMember> members = Members({"net", "web"});
  members[1].store = "file:///other";
  const Board board(members, 1);
  CHECK(board.Find(0, members[0].stack) == size_t{0});
  CHECK_FALSE(board.Find(0, members[1].stack));
  CHECK(board.Find(1, members[1].stack) == size_t{1});
}

TEST_CASE("a stop fails waiting reads, and members that have not begun do not begin", "[fleet]") {
  Board board(Members({"a", "b", "c"}), 2);
  CHECK(board.Next() == size_t{0});
  CHECK(board.Next() == size_t{1});
  std::promise<ReadAnswer> answered;
  board.Read(0, 1, [&answered](ReadAnswer answer) { answered.set_value(std::move(answer)); });
  CHECK(board.ViewOf(0).waits_for == std::vector<size_t>{1});
  board.Stop();
  CHECK(answered.get_future().get().status.code() == Code::kCancelled);
  const auto failed = board.FailedReadOf(0);
  REQUIRE(failed);
  CHECK((failed->target == 1 && failed->stopped));
  CHECK_FALSE(board.FailedReadOf(1));
  board.Ended(0, {State::kFailed, nullptr});
  board.Ended(1, {State::kDone, nullptr});
  CHECK_FALSE(board.Next());
}

TEST_CASE("the board remembers the last failed read of a member, unless the read closed a cycle", "[fleet]") {
  Board board(Members({"a", "b", "c"}), 3);
  for (size_t member = 0; member < 3; ++member) CHECK(board.Next() == member);
  board.Ended(1, {State::kFailed, nullptr});
  CHECK(ReadAndWait(board, 0, 1).status.code() == Code::kUnavailable);
  const auto failed = board.FailedReadOf(0);
  REQUIRE(failed);
  CHECK((failed->target == 1 && !failed->stopped));
  std::promise<ReadAnswer> answered;
  board.Read(0, 2, [&answered](ReadAnswer answer) { answered.set_value(std::move(answer)); });
  CHECK(ReadAndWait(board, 2, 0).status.code() == Code::kFailedPrecondition);
  CHECK_FALSE(board.FailedReadOf(2));
  board.Ended(2, {State::kSkipped, nullptr});
  CHECK(answered.get_future().get().status.code() == Code::kUnavailable);
  CHECK(board.FailedReadOf(0)->target == 2);
}

TEST_CASE("only references to other members of the same store count", "[fleet]") {
  std::vector<BoardMember> members = Members({"net", "web", "far"});
  members[2].store = "file:///other";
  std::vector<StackName> all;
  for (const BoardMember& member : members) all.push_back(member.stack);
  all.push_back(Members({"nobody"}).front().stack);
  SetReferences({{}, all, all}, &members);
  CHECK(members[0].scheduled.references.empty());
  CHECK(members[1].scheduled.references == std::vector<size_t>{0});
  CHECK(members[2].scheduled.references.empty());
}

TEST_CASE("the listener hears of each change, and may look at how things are", "[fleet]") {
  Board* seen = nullptr;
  std::vector<State> states;
  Board board(Members({"a"}), 1, [&](size_t member) { states.push_back(seen->ViewOf(member).state); });
  seen = &board;
  RunMembers(board, [](size_t) { return MemberEnd{State::kFailed, nullptr}; });
  CHECK(states == std::vector<State>{State::kRunning, State::kFailed});
}

TEST_CASE("references are read from the state, whatever names they have in programs", "[fleet]") {
  const std::string document = R"({"version": 3, "checkpoint": {"stack": "organization/web/prod", "latest": {
    "manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": ""},
    "resources": [
      {"urn": "urn:pulumi:prod::web::pulumi:pulumi:StackReference::net", "custom": true, "id": "x",
       "type": "pulumi:pulumi:StackReference", "inputs": {"name": "organization/net/prod"},
       "outputs": {"name": "organization/net/prod", "outputs": {}}, "external": true},
      {"urn": "urn:pulumi:prod::web::pulumi:pulumi:StackReference::again", "custom": true, "id": "y",
       "type": "pulumi:pulumi:StackReference", "inputs": {"name": "organization/net/prod"}, "external": true},
      {"urn": "urn:pulumi:prod::web::pulumi:pulumi:StackReference::own", "custom": true, "id": "z",
       "type": "pulumi:pulumi:StackReference", "inputs": {"name": "blue"}, "external": true}]}}})";
  const auto names = RecordedReferences(document, "web");
  REQUIRE(names.ok());
  REQUIRE(names->size() == 2);
  CHECK((*names)[0].str() == "organization/net/prod");
  CHECK((*names)[1].str() == "organization/web/blue");
  CHECK(RecordedReferences("", "web")->empty());
  CHECK_FALSE(RecordedReferences("pulumi:pulumi:StackReference {", "web").ok());
}

}  // namespace kingpost::fleet::board_test
