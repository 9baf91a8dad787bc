// SPDX-License-Identifier: Apache-2.0
// Checks journals in a bucket. The next owner recovers what is acknowledged, the former owner is shut out, and both
// hold whichever request fails.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <future>

#include "journal/blob_command.h"
#include "journal/held_bucket.h"

namespace kingpost::shared_journal_test {

using testing::BucketWith;
using testing::Command;
using testing::Created;
using testing::Encoded;
using testing::kSeal;
using testing::kStack;
using testing::ObjectsBelow;
using testing::Saved;
using testing::TestState;

TEST_CASE("an operation that ends well leaves a checkpoint and nothing else", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  Command command(bucket);
  REQUIRE(command.Take().ok());
  REQUIRE(command.Begin().ok());
  CHECK(ObjectsBelow(*bucket, ".pulumi/journals/") == 1);  // the head; nothing has happened yet
  REQUIRE(command.Append("b", 1).ok());
  REQUIRE(command.Append("c", 2).ok());
  CHECK(ObjectsBelow(*bucket, ".pulumi/journals/") == 3);
  REQUIRE(SaveAndRemove(*command.journal, *command.store, kStack, Encoded({"c", "b", "a"})).ok());
  REQUIRE(command.lock->Release().ok());
  CHECK(ObjectsBelow(*bucket, ".pulumi/journals/") == 1);  // the head, which is free
  CHECK((*bucket->Get(".pulumi/journals/project/stack/head.json"))->bytes.find("\"free\"") != std::string::npos);
  CHECK(ObjectsBelow(*bucket, ".pulumi/locks/") == 0);
  CHECK(Saved(command) == "cba");
}

TEST_CASE("another machine recovers the acknowledged entries once the lease has expired", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  Command owner(bucket), next(bucket), third(bucket);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.Begin().ok());
  REQUIRE(owner.Append("b", 1).ok());
  owner.Die();
  CHECK(next.Take().message().find("the stack is currently locked by 1 lock(s)") == 0);
  bucket->Advance(61'000);
  REQUIRE(next.Take().message() == "");
  CHECK(next.lock->notices().size() == 1);
  CHECK(third.Take().code() == Code::kFailedPrecondition);
  const auto report = Recover(*next.store, kStack, kSeal);
  REQUIRE(report.status().message() == "");
  CHECK(report->entries == 1);
  CHECK(Saved(next) == "ba");

  // The former owner was asleep, and is shut out on every way.
  owner.Revive();
  CHECK(owner.Append("late", 2).code() == Code::kAborted);
  CHECK(owner.lock->WhileHeld([] { return Status::Ok(); }).code() == Code::kAborted);
  REQUIRE(owner.lock->Release().ok());
  CHECK(next.lock->WhileHeld([] { return Status::Ok(); }).ok());
  REQUIRE(next.lock->Release().ok());
  CHECK(Saved(next) == "ba");
  REQUIRE(third.Take().message() == "");
  CHECK_FALSE(Recover(*third.store, kStack, kSeal)->found);
}

TEST_CASE("a read sees the records of a dead owner, and changes nothing", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  Command owner(bucket), reader(bucket);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.Begin().ok());
  REQUIRE(owner.Append("b", 1).ok());
  CHECK_FALSE(*HasLeftover(*reader.store, kStack));  // it is at work
  owner.Die();
  bucket->Advance(61'000);
  CHECK(*HasLeftover(*reader.store, kStack));
  const size_t objects = ObjectsBelow(*bucket, "");
  const auto leftover = PeekLeftover(*reader.store, kStack, kSeal);
  REQUIRE(leftover.status().message() == "");
  CHECK(leftover->report.entries == 1);
  CHECK(ObjectsBelow(*bucket, "") == objects);
  CHECK(Saved(reader) == "a");
}

TEST_CASE("a cancelled owner is stopped by its next record, which is kept aside", "[journal][blob]") {
  TempFolder home;
  setenv("PULUMI_HOME", home.path().c_str(), 1);
  const auto bucket = BucketWith({"a"});
  Command owner(bucket), next(bucket);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.Begin().ok());
  REQUIRE(owner.Append("b", 1).ok());
  CHECK(*next.store->BreakLocks(kStack) == 1);
  CHECK(owner.Append("c", 2).code() == Code::kAborted);
  REQUIRE(next.Take().message() == "");
  REQUIRE(Recover(*next.store, kStack, kSeal).status().message() == "");
  CHECK(Saved(next) == "ba");
  FinishOptions options;
  options.seal = kSeal;
  const FinishResult finished = FinishOperation(*owner.lock, *owner.journal, *owner.store, kStack,
                                                testing::TestSnapshot({TestState("c"), TestState("a")}), options);
  CHECK(finished.status.message().find("kingpost state recover " + home.path()) != std::string::npos);
  const size_t at = finished.status.message().find(home.path());
  const std::string kept = finished.status.message().substr(at, finished.status.message().find(".kept", at) + 5 - at);
  const auto read = ReadJournal(kept, {});
  REQUIRE(read.status().message() == "");
  CHECK(read->entries.size() == 3);  // both records, and the fence
  CHECK(Saved(next) == "ba");
  unsetenv("PULUMI_HOME");
}

TEST_CASE("a store that comes back before the end gets all that it missed", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  Command command(bucket);
  REQUIRE(command.Take().ok());
  REQUIRE(command.Begin().ok());
  REQUIRE(command.Append("b", 1).ok());
  command.Die();
  CHECK(command.Append("c", 2).code() == Code::kUnavailable);
  command.Revive();
  FinishOptions options;
  options.seal = kSeal;
  const FinishResult finished =
      FinishOperation(*command.lock, *command.journal, *command.store, kStack,
                      testing::TestSnapshot({TestState("c"), TestState("b"), TestState("a")}), options);
  CHECK(finished.status.message() == "");
  CHECK(Saved(command) == "cba");
}

// Every call of an operation fails, is done and told to have failed, or is done twice. Whatever was acknowledged is in
// the state after the next command.
TEST_CASE("nothing acknowledged is lost, whichever request fails", "[journal][blob]") {
  for (const BucketFaults::Kind kind :
       {BucketFaults::Kind::kRefused, BucketFaults::Kind::kLostAnswer, BucketFaults::Kind::kTwice}) {
    for (const bool after : {false, true}) {
      if (after && kind == BucketFaults::Kind::kTwice) continue;
      bool broken = true;
      for (int call = 1; broken; ++call) {
        const auto bucket = BucketWith({"a"});
        std::string acknowledged;
        {
          Command command(bucket);
          command.network->Break({kind, call, after, nullptr});
          if (command.Take().ok() && Recover(*command.store, kStack, kSeal).ok() && command.Begin().ok()) {
            for (const char* name : {"b", "c"}) {
              if (command.Append(name, *name).ok()) acknowledged += name;
            }
            if (acknowledged == "bc") {
              (void)SaveAndRemove(*command.journal, *command.store, kStack, Encoded({"b", "c", "a"}));
            }
          }
          broken = command.network->calls() >= call;
        }
        bucket->Advance(61'000);
        Command next(bucket);
        INFO("kind " << static_cast<int>(kind) << ", call " << call << (after ? " and after" : ""));
        REQUIRE(next.Take().message() == "");
        REQUIRE(Recover(*next.store, kStack, kSeal).status().message() == "");
        const std::string saved = Saved(next);
        for (const char name : acknowledged) CHECK(saved.find(name) != std::string::npos);
        CHECK(saved.back() == 'a');
        REQUIRE(next.lock->Release().ok());
        CHECK(ObjectsBelow(*bucket, ".pulumi/locks/") == 0);
        CHECK((*bucket->Get(".pulumi/journals/project/stack/head.json"))->bytes.find("free") != std::string::npos);
      }
    }
  }
}

TEST_CASE("a write whose answer was lost still belongs to its owner", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  Command owner(bucket);
  REQUIRE(owner.Take().ok());
  owner.network->Break({BucketFaults::Kind::kLostAnswer, 1, /*after=*/false, nullptr});
  CHECK(owner.store->journals()->NoteCommit(kStack, "first").code() == Code::kUnavailable);
  CHECK(owner.store->journals()->NoteCommit(kStack, "second").message() == "");
  CHECK((*bucket->Get(".pulumi/journals/project/stack/head.json"))->bytes.find("second") != std::string::npos);
  CHECK(*Command(bucket).store->BreakLocks(kStack) == 1);
  CHECK(owner.store->journals()->NoteCommit(kStack, "third").code() == Code::kAborted);
}

// The recovering command dies at each request in turn; the next one goes on.
TEST_CASE("recovery may die at any request", "[journal][blob]") {
  bool broken = true;
  for (int call = 1; broken; ++call) {
    const auto bucket = BucketWith({"a"});
    Command owner(bucket);
    REQUIRE(owner.Take().ok());
    REQUIRE(owner.Begin().ok());
    REQUIRE(owner.Append("b", 1).ok());
    owner.Die();
    bucket->Advance(61'000);
    INFO("call " << call);
    {
      Command second(bucket);
      second.network->Break({BucketFaults::Kind::kLostAnswer, call, /*after=*/true, nullptr});
      if (second.Take().ok()) (void)Recover(*second.store, kStack, kSeal);
      broken = second.network->calls() >= call;
    }
    bucket->Advance(61'000);
    Command third(bucket);
    REQUIRE(third.Take().message() == "");
    REQUIRE(Recover(*third.store, kStack, kSeal).status().message() == "");
    CHECK(Saved(third) == "ba");
  }
}

// Three batches are in flight at a time and arrive in any order. The bucket stores each, refuses it, or stores it and
// loses the answer. The owner dies after any of them. Its late requests arrive when another has taken over.
struct Race {
  std::vector<int> order;
  std::vector<HeldBucket::Outcome> outcomes;
  size_t deaths_after = 0;
};

void CheckRace(const Race& race) {
  const auto bucket = BucketWith({"a"});
  const auto held = std::make_shared<HeldBucket>(bucket);
  Command owner(held);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.Begin().ok());
  held->Hold("0000000");
  std::vector<std::future<Status>> answers;
  for (int number = 1; number <= 3; ++number) {
    auto synced = std::make_shared<std::promise<Status>>();
    answers.push_back(synced->get_future());
    owner.journal->Append(Created(std::string(1, static_cast<char>('a' + number)), number),
                          [synced](Status status) { synced->set_value(std::move(status)); });
    held->AwaitHeld(static_cast<size_t>(number));
  }
  for (size_t i = 0; i < race.deaths_after; ++i) held->Release(race.order[i], race.outcomes[i]);
  std::vector<HeldBucket::Late> late = held->CutOff();
  (void)owner.journal->Close();
  std::string acknowledged, expected;
  bool unbroken = true;
  for (int number = 1; number <= 3; ++number) {
    const std::string name(1, static_cast<char>('a' + number));
    if (answers[static_cast<size_t>(number - 1)].get().ok()) acknowledged += name;
    unbroken = unbroken && bucket->Get(held->KeyOf(number)).value().has_value();
    if (unbroken) expected += name;
  }
  expected += "a";

  bucket->Advance(61'000);
  Command next(bucket);
  REQUIRE(next.Take().message() == "");
  REQUIRE(Recover(*next.store, kStack, kSeal).status().message() == "");
  CHECK(Saved(next) == expected);
  for (const char name : acknowledged) CHECK(expected.find(name) != std::string::npos);
  for (const HeldBucket::Late& put : late) (void)put();
  REQUIRE(next.lock->Release().ok());
  Command third(bucket);
  REQUIRE(third.Take().message() == "");
  CHECK_FALSE(Recover(*third.store, kStack, kSeal)->found);
  CHECK(Saved(third) == expected);
}

TEST_CASE("no batch is acknowledged before those that come before it, in whatever order they arrive",
          "[journal][blob]") {
  Race race{{1, 2, 3}, {}, 0};
  using Outcome = HeldBucket::Outcome;
  do {
    for (int choice = 0; choice < 27; ++choice) {
      race.outcomes = {static_cast<Outcome>(choice % 3), static_cast<Outcome>(choice / 3 % 3),
                       static_cast<Outcome>(choice / 9)};
      for (race.deaths_after = 0; race.deaths_after <= 3; ++race.deaths_after) {
        INFO("order " << race.order[0] << race.order[1] << race.order[2] << ", outcomes " << choice << ", dies after "
                      << race.deaths_after);
        CheckRace(race);
      }
    }
  } while (std::next_permutation(race.order.begin(), race.order.end()));
}

// A cancelled owner has a batch in flight behind the one that meets the seal.
TEST_CASE("a gap that another command has sealed stops its owner, whatever is stored behind it", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  const auto held = std::make_shared<HeldBucket>(bucket);
  Command owner(held), next(bucket);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.Begin().ok());
  REQUIRE(owner.Append("b", 1).ok());
  held->Hold("0000000");
  std::vector<std::future<Status>> answers;
  for (int number = 1; number <= 2; ++number) {
    auto synced = std::make_shared<std::promise<Status>>();
    answers.push_back(synced->get_future());
    owner.journal->Append(Created(std::string(1, static_cast<char>('b' + number)), number + 1),
                          [synced](Status status) { synced->set_value(std::move(status)); });
    held->AwaitHeld(static_cast<size_t>(number));
  }
  held->Release(3, HeldBucket::Outcome::kStored);
  CHECK(*next.store->BreakLocks(kStack) == 1);
  held->Release(2, HeldBucket::Outcome::kStored);  // finds the seal
  CHECK(answers[0].get().code() == Code::kAborted);
  CHECK(answers[1].get().code() == Code::kAborted);
  REQUIRE(next.Take().message() == "");
  REQUIRE(Recover(*next.store, kStack, kSeal).status().message() == "");
  CHECK(Saved(next) == "ba");
}

TEST_CASE("without conditions, a command takes over only from an owner that is known to be dead", "[journal][blob]") {
  auto bucket = std::make_shared<MemoryBucket>("mem://" + NewLockId());
  bucket->IgnoreConditions();
  Command owner(bucket), next(bucket);
  REQUIRE(owner.Take().ok());
  CHECK(owner.lock->notices().size() == 1);
  owner.Die();
  bucket->Advance(1'000'000);
  CHECK(next.Take().code() == Code::kFailedPrecondition);
  CHECK(*next.store->BreakLocks(kStack) == 1);
  CHECK(next.Take().message() == "");
}

}  // namespace kingpost::shared_journal_test
