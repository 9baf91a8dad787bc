// SPDX-License-Identifier: Apache-2.0
// The recorder: coroutines on the engine thread wait for the writer thread.
#include "journal/recorder.h"

#include <catch2/catch.hpp>

#include "journal/faulty_file.h"
#include "model/states.h"

namespace kingpost::recorder_test {

JournalEntry Created(const std::string& name) {
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = 1;
  entry.state = testing::TestState(name);
  return entry;
}

TEST_CASE("a step goes on when its entry is synced", "[journal]") {
  Loop loop;
  testing::FaultyDisk disk;
  auto journal = Journal::CreateOn(std::make_unique<testing::FaultyFile>(&disk), {"s", "", "update"}, {});
  REQUIRE(journal.ok());
  JournalRecorder recorder(loop, **journal);
  CHECK(disk.syncs() == 1);  // the header's
  CHECK(loop.RunUntilDone(recorder.Append(Created("made"))).ok());
  CHECK(disk.syncs() == 2);
  disk.fail_sync = 3;
  CHECK(loop.RunUntilDone(recorder.Append(Created("lost"))).message() == "disk: sync: Input/output error");
  (void)(*journal)->Close();
  CHECK(ParseJournal(disk.Bytes(), {})->entries.size() == 2);
}

TEST_CASE("entries take their place when they are appended, not when they are awaited", "[journal]") {
  Loop loop;
  testing::FaultyDisk disk;
  auto journal = Journal::CreateOn(std::make_unique<testing::FaultyFile>(&disk), {"s", "", "update"}, {});
  REQUIRE(journal.ok());
  JournalRecorder recorder(loop, **journal);
  Task<Status> first = recorder.Append(Created("first"));
  Task<Status> second = recorder.Append(Created("second"));
  CHECK(loop.RunUntilDone(std::move(second)).ok());
  CHECK(loop.RunUntilDone(std::move(first)).ok());
  const auto contents = ParseJournal(disk.Bytes(), {});
  REQUIRE(contents->entries.size() == 2);
  CHECK(contents->entries[0].state->urn == testing::TestUrn("first"));
}

}  // namespace kingpost::recorder_test
