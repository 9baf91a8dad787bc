// SPDX-License-Identifier: Apache-2.0
// Checks the end of an operation: it saves the state, or keeps the journal and the good state.
#include "journal/finish.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <future>

#include "base/disk/durable_file.h"
#include "journal/bench.h"
#include "journal/merge.h"
#include "journal/recover.h"
#include "kingpost/journal_paths.h"

namespace kingpost::finish_test {

using testing::BeginCreate;
using testing::Bench;
using testing::Created;
using testing::kSeal;
using testing::kStack;
using testing::Names;
using testing::TestState;

// b depends on a, and the journal deletes a: [a b] ─▶ [b].
JournalEntry DeletedFirst() {
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = 1;
  entry.remove_old = 0;
  return entry;
}

Snapshot Dependent() {
  return testing::TestSnapshot(
      {TestState("a"), TestState("b", [](State* s) { s->dependencies.push_back(testing::TestUrn("a")); })});
}

TEST_CASE("the end of an operation saves the document and removes the journal", "[journal]") {
  Bench bench(testing::TestSnapshot({}));
  auto journal = bench.Begin();
  journal->Append(Created("b", 1), nullptr);
  const Snapshot next = testing::TestSnapshot({TestState("b")});
  REQUIRE(SaveAndRemove(*journal, *bench.store(), kStack, Bench::Encode(next)).ok());
  CHECK(Names(bench.Saved().resources) == "b");
  CHECK_FALSE(bench.HasJournal());
}

TEST_CASE("a state that is not in order is never saved over a good one", "[journal]") {
  Bench bench(Dependent());
  const std::string good = bench.store()->Load(kStack)->bytes;
  const JournalPaths places(bench.journal_path());
  const bool at_the_end = GENERATE(false, true);
  if (!at_the_end) {
    bench.Begin()->Append(DeletedFirst(), nullptr);
  } else {
    auto lock = *bench.store()->Lock(kStack);
    auto journal = bench.Begin();
    journal->Append(DeletedFirst(), nullptr);
    Snapshot broken = Dependent();
    broken.resources.erase(broken.resources.begin());
    const auto finished = FinishOperation(*lock, *journal, *bench.store(), kStack, broken, {kSeal, {}, false});
    CHECK(finished.status.message().find("state repair") != std::string::npos);
    CHECK(finished.unsaved.empty());
  }
  const Status refused = Recover(*bench.store(), kStack, kSeal).status();
  CHECK(refused.message().find("not in order") != std::string::npos);
  CHECK(refused.message().find(places.rejected) != std::string::npos);
  CHECK(bench.store()->Load(kStack)->bytes == good);
  CHECK(bench.HasJournal());
  struct stat info;
  REQUIRE(stat(places.rejected.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  CHECK(bench.store()->Locks(kStack)->size() == (at_the_end ? 1 : 0));  // others keep away until it is mended

  SECTION("recovery repairs the state") {
    RecoverOptions options{kSeal, false, [](Snapshot* snapshot) {
                             snapshot->resources = DropDanglingReferences(snapshot->resources, {});
                             return VerifyIntegrity(*snapshot);
                           }};
    const auto report = Recover(*bench.store(), kStack, options);
    REQUIRE(report.status().message() == "");
    CHECK(report->repaired);
    CHECK(Names(bench.Saved().resources) == "b");
    CHECK_FALSE(bench.HasJournal());
    CHECK_FALSE(FileExists(places.rejected));
  }
  SECTION("with the check turned off, it is saved with a mark") {
    REQUIRE(Recover(*bench.store(), kStack, {kSeal, true, nullptr}).ok());
    CHECK_FALSE(bench.Saved().integrity_error_json.empty());
    CHECK_FALSE(bench.HasJournal());
  }
  SECTION("a read sees it, and it stays") {
    const auto leftover = PeekLeftover(*bench.store(), kStack, kSeal);
    REQUIRE(leftover.status().message() == "");
    CHECK_FALSE(leftover->report.integrity.ok());
    CHECK(bench.HasJournal());
  }
}

TEST_CASE("an operation that lost the stack keeps its journal for the merge, and saves nothing", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  const JournalPaths places(bench.journal_path());
  auto lock = *bench.store()->Lock(kStack);
  auto journal = bench.Begin();
  journal->set_ownership_check([&lock] { return lock->CheckHeld(); });
  std::promise<Status> begun;
  journal->Append(BeginCreate("b", 1), [&begun](Status status) { begun.set_value(std::move(status)); });
  REQUIRE(begun.get_future().get().ok());
  REQUIRE(*bench.store()->BreakLocks(kStack) == 1);
  bool taken = false;
  SECTION("no other command has come since") {}
  SECTION("another command has taken over") {
    taken = true;
    REQUIRE(Recover(*bench.store(), kStack, kSeal).ok());
  }
  const std::string before = bench.store()->Load(kStack)->bytes;
  journal->Append(Created("b", 1), nullptr);  // the provider answered after all
  const auto finished = FinishOperation(*lock, *journal, *bench.store(), kStack,
                                        testing::TestSnapshot({TestState("b"), TestState("a")}), {kSeal, {}, false});
  CHECK(finished.status.code() == Code::kAborted);
  CHECK(finished.unsaved.empty());
  CHECK(bench.store()->Load(kStack)->bytes == before);
  if (!taken) {
    CHECK(finished.status.message().find("the next command on the stack recovers it") != std::string::npos);
    REQUIRE(Recover(*bench.store(), kStack, kSeal).ok());
    CHECK(Names(bench.Saved().resources) == "b a");
    CHECK(bench.Saved().pending_operations.empty());
    return;
  }
  const std::string message = finished.status.message();
  const size_t at = message.find("`kingpost state recover ");
  REQUIRE(at != std::string::npos);
  const std::string kept = message.substr(at + 24, message.find('`', at + 24) - at - 24);
  Snapshot snapshot = bench.Saved();
  CHECK(snapshot.pending_operations.size() == 1);
  const auto report = MergeJournal(*ReadJournal(kept, {}), &snapshot);
  REQUIRE(report.status().message() == "");
  CHECK(Names(snapshot.resources) == "a b");
  CHECK(snapshot.pending_operations.empty());
}

}  // namespace kingpost::finish_test
