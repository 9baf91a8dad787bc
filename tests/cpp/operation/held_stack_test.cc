// SPDX-License-Identifier: Apache-2.0
// Checks the lock of a stack: a holder recovers what a crash left and says so, a lost lock is refused, and a signal
// releases it.
#include "operation/held_stack.h"

#include <catch2/catch.hpp>

#include "journal/bench.h"
#include "operation/bystander.h"
#include "operation/stack_document.h"

namespace kingpost::held_stack_test {

using testing::Bench;
using testing::Bystander;
using testing::ContextFor;
using testing::kStack;
using testing::Names;
using testing::TestState;

// A journal of an operation that made b and died.
void Crash(Bench& bench) {
  const auto journal = bench.Begin();
  journal->Append(testing::Created("b", 1), nullptr);
  REQUIRE(journal->Close().ok());
}

TEST_CASE("opening a stack recovers the records of a crash, and informs the user", "[operation]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  Crash(bench);
  Bystander bystander;
  const auto held = HeldStack::Open(ContextFor(*bench.store(), kStack, bystander));
  REQUIRE(held.ok());
  REQUIRE(bystander.notes.size() == 1);
  CHECK(bystander.notes[0].starts_with("recovered an interrupted update: 1 journal record replayed"));
  CHECK(Names(bench.Saved().resources) == "b a");
  CHECK((*held)->document() == bench.store()->Load(kStack)->bytes);
}

TEST_CASE("a read reports the records of a crash, and writes nothing", "[operation]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  Crash(bench);
  Bystander bystander;
  const StackContext context = ContextFor(*bench.store(), kStack, bystander);
  const auto document = ReadCheckpoint(context);
  REQUIRE(document.ok());
  CHECK(Names(DecodeStack(context, *document, {})->snapshot.resources) == "b a");
  REQUIRE(bystander.notes.size() == 2);
  CHECK(bystander.notes[1] == "none of this is saved yet; the next command that changes the stack does it");
  CHECK(Names(bench.Saved().resources) == "a");
  CHECK(bench.HasJournal());
}

TEST_CASE("a stack that was removed or renamed before it could be held is not made anew", "[operation]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  Bystander bystander;
  StackContext context = ContextFor(*bench.store(), kStack, bystander);
  context.known = true;
  REQUIRE(HeldStack::Open(context).ok());
  REQUIRE(bench.store()->Remove(kStack, false).ok());
  const Status gone = HeldStack::Open(context).status();
  CHECK(gone.code() == Code::kNotFound);
  CHECK(gone.message() == "no stack named 'stack' found; another command has removed or renamed it");
  CHECK(gone.detail<StackGone>() != nullptr);
  CHECK(bench.store()->Locks(kStack)->empty());
  context.known = false;  // the command may create the stack
  CHECK(HeldStack::Open(context).ok());
}

TEST_CASE("while a command holds the stack, a read leaves its journal alone", "[operation]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  Bystander bystander;
  const StackContext context = ContextFor(*bench.store(), kStack, bystander);
  const auto held = HeldStack::Open(context);
  REQUIRE(held.ok());
  Crash(bench);
  CHECK(Names(DecodeStack(context, *ReadCheckpoint(context), {})->snapshot.resources) == "a");
  CHECK(bystander.notes.empty());
}

TEST_CASE("a checkpoint that is there and empty is no new stack", "[operation]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  const std::string file = bench.store()->Load(kStack)->location;
  std::filesystem::resize_file(file, 0);
  Bystander bystander;
  const StackContext context = ContextFor(*bench.store(), kStack, bystander);
  CHECK(HeldStack::Open(context).status().message().starts_with(file + " is empty"));
  CHECK(ReadCheckpoint(context).status().message().starts_with(file + " is empty"));
  const auto anyway = HeldStack::Open(context, {.accept_damaged = true});
  REQUIRE(anyway.ok());
  CHECK((*anyway)->document().empty());
  CHECK((*anyway)->damage().message().starts_with(file + " is empty"));
}

TEST_CASE("a signal releases a held stack, and so does the end of its holder", "[operation]") {
  Bench bench(testing::TestSnapshot({}));
  Bystander bystander;
  const StackContext context = ContextFor(*bench.store(), kStack, bystander);
  {
    const auto held = HeldStack::Open(context);
    REQUIRE(held.ok());
    CHECK(bystander.holding == 1);
    CHECK(bystander.saving == 0);
    const auto on_signal = bystander.on_signal;
    CHECK_FALSE(HeldStack::Open(context).ok());
    on_signal();
    CHECK(bench.store()->Locks(kStack)->empty());
  }
  CHECK(bystander.holding == 0);
  REQUIRE(HeldStack::Open(context).ok());
  CHECK(bench.store()->Locks(kStack)->empty());
}

TEST_CASE("a state that is not in order is saved only when forced", "[operation]") {
  Bench bench(testing::TestSnapshot({}));
  Bystander bystander;
  const auto held = HeldStack::Open(ContextFor(*bench.store(), kStack, bystander));
  REQUIRE(held.ok());
  const Snapshot broken = testing::TestSnapshot({TestState("a"), TestState("a")});
  CHECK((*held)->Save(broken, {}).message().starts_with("state file contains errors: "));
  CHECK(bench.Saved().resources.empty());
  REQUIRE((*held)->Save(broken, {}, true).ok());
  CHECK(bystander.warnings.size() == 1);
  CHECK(Names(bench.Saved().resources) == "a a");
}

}  // namespace kingpost::held_stack_test
