// SPDX-License-Identifier: Apache-2.0
// Checks the journal on a failing disk: acknowledged entries are read again in order, and no damaged entry ever is.
#include "journal/journal.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/disk/durable_file.h"
#include "journal/faulty_file.h"
#include "journal/random_run.h"
#include "journal/record.h"
#include "journal/replay.h"
#include "model/states.h"
#include "support/temp_folder.h"

namespace kingpost::journal_test {

using testing::FaultyDisk;
using testing::FaultyFile;
using testing::TestState;

const JournalHeader kHeader = {"organization/project/stack", "basehash", "update"};

std::unique_ptr<Journal> OpenOn(FaultyDisk* disk) {
  auto journal = Journal::CreateOn(std::make_unique<FaultyFile>(disk), kHeader, {});
  REQUIRE(journal.ok());
  return *std::move(journal);
}

JournalEntry Created(const std::string& name, int64_t operation = 1) {
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = operation;
  entry.state = TestState(name);
  return entry;
}

Status AppendAndWait(Journal& journal, JournalEntry entry) {
  testing::Gate done;
  Status result;
  journal.Append(std::move(entry), [&](Status status) {
    result = status;
    done.Open();
  });
  done.Pass();
  return result;
}

std::string NamesIn(const JournalContents& contents) {
  std::vector<StatePtr> states;
  for (const JournalEntry& entry : contents.entries) states.push_back(entry.state);
  return testing::Names(states);
}

// A journal of `batches` synced batches with some entries each.
std::string WriteSample(int batches) {
  FaultyDisk disk;
  auto journal = OpenOn(&disk);
  for (int i = 0; i < batches; ++i) {
    journal->Append(Created("a" + std::to_string(i)), nullptr);
    CHECK(AppendAndWait(*journal, Created("b" + std::to_string(i))).ok());
  }
  CHECK(journal->Close().ok());
  std::string bytes = disk.Bytes();
  bytes.resize(bytes.find_last_not_of('\0') + 1 + 40);  // a little of the reserved space
  return bytes;
}

TEST_CASE("an appended entry is read as it was written", "[journal]") {
  FaultyDisk disk;
  auto journal = OpenOn(&disk);
  JournalEntry begin;
  begin.operation_id = 3;
  begin.operation = OperationType::kCreating;
  begin.state = TestState("a");
  REQUIRE(AppendAndWait(*journal, begin).ok());
  JournalEntry end = Created("a", 3);
  end.remove_old = 0, end.delete_new = 7, end.pending_replacement_old = 2, end.is_refresh = true;
  REQUIRE(AppendAndWait(*journal, end).ok());
  JournalEntry secrets;
  secrets.kind = EntryKind::kSecretsManager;
  secrets.secrets_type = "passphrase", secrets.secrets_state_json = R"({"salt":"v1:}{\"]["})";
  REQUIRE(AppendAndWait(*journal, secrets).ok());
  JournalEntry extension;
  extension.kind = EntryKind::kExtensionParameterize;
  extension.extension_ref = "ref\n\"x\"", extension.extension_json = R"({"a":[1,{"b":null}]})";
  extension.snippets_json = R"([{"uuid":"u,}"}])";
  REQUIRE(AppendAndWait(*journal, extension).ok());
  JournalEntry write;
  write.kind = EntryKind::kWrite;
  write.new_base = std::make_shared<const Snapshot>(testing::TestSnapshot({TestState("x"), TestState("y")}));
  REQUIRE(AppendAndWait(*journal, write).ok());
  REQUIRE(journal->Close().ok());

  const auto contents = ParseJournal(disk.Bytes(), {});
  REQUIRE(contents.status().message() == "");
  CHECK(contents->header.stack == kHeader.stack);
  CHECK(contents->header.base_hash == kHeader.base_hash);
  CHECK(contents->header.operation == kHeader.operation);
  CHECK(contents->torn_tail_bytes == 0);
  REQUIRE(contents->entries.size() == 5);
  const auto& entries = contents->entries;
  CHECK(entries[0].kind == EntryKind::kBegin);
  CHECK(entries[0].sequence == 1);
  CHECK(entries[0].operation == OperationType::kCreating);
  CHECK(entries[0].state->urn == begin.state->urn);
  CHECK(entries[1].kind == EntryKind::kSuccess);
  CHECK(entries[1].operation_id == 3);
  CHECK(entries[1].remove_old == 0);
  CHECK(entries[1].remove_new == 0);
  CHECK(entries[1].delete_old == -1);
  CHECK(entries[1].delete_new == 7);
  CHECK(entries[1].pending_replacement_old == 2);
  CHECK(entries[1].is_refresh);
  CHECK(entries[1].state->id == "id-a");
  CHECK(entries[2].secrets_type == secrets.secrets_type);
  CHECK(entries[2].secrets_state_json == secrets.secrets_state_json);
  CHECK(entries[3].extension_ref == extension.extension_ref);
  CHECK(entries[3].extension_json == extension.extension_json);
  CHECK(entries[3].snippets_json == extension.snippets_json);
  CHECK(testing::Names(entries[4].new_base->resources) == "x y");
}

TEST_CASE("one sync serves all that wait", "[journal]") {
  FaultyDisk disk;
  auto journal = OpenOn(&disk);
  REQUIRE(disk.syncs() == 1);  // of the header
  testing::Gate gate;
  disk.before_sync = [&] { gate.Pass(); };
  std::atomic<int> acknowledged = 0;
  const auto append = [&] { journal->Append(Created("r"), [&](Status status) { acknowledged += status.ok(); }); };
  append();
  gate.WaitForSomeone();  // the first is being synced
  for (int i = 0; i < 100; ++i) append();
  CHECK(acknowledged == 0);
  gate.Open();
  REQUIRE(journal->Close().ok());
  CHECK(acknowledged == 101);
  CHECK(disk.syncs() == 3);
  CHECK(disk.writes() == 3);
}

TEST_CASE("an entry without a waiter is synced with the next one, or at the end", "[journal]") {
  FaultyDisk disk;
  auto journal = OpenOn(&disk);
  journal->Append(Created("quiet"), nullptr);
  journal->Append(Created("quiet"), nullptr);
  REQUIRE(AppendAndWait(*journal, Created("loud")).ok());
  CHECK(disk.syncs() == 2);
  journal->Append(Created("quiet"), nullptr);
  REQUIRE(journal->Close().ok());
  CHECK(disk.syncs() == 3);
  CHECK(ParseJournal(disk.Bytes(), {})->entries.size() == 4);
}

TEST_CASE("a failed sync is final", "[journal]") {
  FaultyDisk disk;
  disk.fail_sync = 3;
  auto journal = OpenOn(&disk);
  CHECK(AppendAndWait(*journal, Created("a")).ok());
  CHECK(AppendAndWait(*journal, Created("b")).message() == "disk: sync: Input/output error");
  const int writes = disk.writes();
  CHECK(AppendAndWait(*journal, Created("c")).message() == "disk: sync: Input/output error");
  CHECK(disk.writes() == writes);
  CHECK(disk.syncs() == 3);
  CHECK(journal->Close().message() == "disk: sync: Input/output error");
}

TEST_CASE("a failed write or a full disk is final and leaves the acknowledged entries", "[journal]") {
  for (bool full : {false, true}) {
    FaultyDisk disk;
    if (full) {
      disk.capacity = 3 << 20;
    } else {
      disk.fail_write = 40;
    }
    auto journal = OpenOn(&disk);
    int acknowledged = 0;
    Status failure;
    for (int i = 0; i < 200 && failure.ok(); ++i) {
      JournalEntry entry = Created("r" + std::string(20000, 'x'));
      failure = AppendAndWait(*journal, entry);
      acknowledged += failure.ok();
    }
    CHECK(acknowledged > 30);
    CHECK(failure.message().find(full ? "No space left" : "Input/output") != std::string::npos);
    CHECK(AppendAndWait(*journal, Created("late")).message() == failure.message());
    CHECK(ParseJournal(disk.Bytes(), {})->entries.size() == static_cast<size_t>(acknowledged));
  }
}

TEST_CASE("a journal cut at any byte gives a prefix", "[journal]") {
  const std::string bytes = WriteSample(3);
  const std::string names = NamesIn(*ParseJournal(bytes, {}));
  REQUIRE(names == "a0 b0 a1 b1 a2 b2");
  size_t entries = 0;
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const auto contents = ParseJournal(std::string_view(bytes).substr(0, size), {});
    INFO("cut at " << size);
    REQUIRE(contents.status().message() == "");
    REQUIRE(names.substr(0, NamesIn(*contents).size()) == NamesIn(*contents));
    REQUIRE(contents->entries.size() >= entries);
    REQUIRE(contents->valid_bytes + contents->torn_tail_bytes <= size);
    entries = contents->entries.size();
  }
  CHECK(entries == 6);
}

TEST_CASE("a flipped bit is an error that names the record, or costs no more than the last batch", "[journal]") {
  const std::string bytes = WriteSample(3);
  const auto whole = ParseJournal(bytes, {});
  const std::string names = NamesIn(*whole);
  int named = 0, dropped = 0;
  for (size_t bit = 0; bit < bytes.size() * 8; bit += 3) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto contents = ParseJournal(damaged, {});
    INFO("bit " << bit);
    if (!contents.ok()) {
      const std::string message = contents.status().message();
      REQUIRE((message.find("record") == 0 || message.find("the first 16 bytes") == 0));
      ++named;
      continue;
    }
    REQUIRE(contents->entries.size() >= 4);  // only a2 and b2 cannot be told from a write that was interrupted
    REQUIRE(contents->torn_tail_bytes > 0);
    REQUIRE(names.substr(0, NamesIn(*contents).size()) == NamesIn(*contents));
    ++dropped;
  }
  CHECK(named > 1000);
  CHECK(dropped > 100);
}

TEST_CASE("after a power cut every acknowledged entry is there, and the rest is a prefix", "[journal]") {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const testing::RandomRun run = testing::MakeRandomRun(seed);
    FaultyDisk disk;
    auto journal = OpenOn(&disk);
    std::atomic<size_t> acknowledged = 0;
    const size_t crash_at = random() % (run.entries.size() + 1);
    std::string left;
    for (size_t i = 0; i <= run.entries.size(); ++i) {
      if (i == crash_at) {
        const size_t before = acknowledged;  // the writer goes on meanwhile: at least these
        left = disk.AfterCrash(random);
        const auto contents = ParseJournal(left, {});
        REQUIRE(contents.status().message() == "");
        REQUIRE(contents->entries.size() >= before);
        Replayer replayer(std::make_shared<const Snapshot>(run.base));
        for (const JournalEntry& entry : contents->entries) REQUIRE(replayer.Apply(entry).message() == "");
        REQUIRE(VerifyIntegrity(replayer.Materialize()).message() == "");
        break;
      }
      journal->Append(run.entries[i], [&](Status status) { acknowledged += status.ok(); });
      if (random() % 3 == 0) usleep(random() % 200);
    }
    CHECK(journal->Close().ok());
  }
}

TEST_CASE("damaged unsynced records are dropped without an error", "[journal]") {
  // Records 1 and 2 were written together, and only 2 reached the disk.
  std::string bytes = EncodePreamble(9), lost;
  AppendRecord(9, 0, 0, R"({"version":1,"stack":"s"})", &bytes);
  AppendRecord(9, 1, 1, "{}", &lost);
  const std::string before = bytes + std::string(lost.size(), '\0');
  std::string together = before, later = before;
  AppendRecord(9, 2, 1, "{}", &together);
  CHECK(ScanRecords(together)->payloads.size() == 1);
  CHECK(ScanRecords(together)->torn_tail_bytes > 0);
  AppendRecord(9, 2, 2, "{}", &later);
  CHECK(
      ScanRecords(later).status().message() ==
      "record 1 at byte 65 is damaged, but record 2 after it is whole: the disk has lost data that was safely written");
}

TEST_CASE("the checksum is CRC-32C", "[journal]") {
  CHECK(Crc32c(0, "123456789") == 0xe3069283u);
  CHECK(Crc32c(0, std::string(32, '\0')) == 0x8a9136aau);
  CHECK(Crc32c(Crc32c(0, "12345"), "6789") == 0xe3069283u);
}

TEST_CASE("the file is for its owner only, is there once and goes away for good", "[journal]") {
  const TempFolder folder;
  const std::string path = folder / "stack.journal";
  const mode_t mask = umask(0);
  auto journal = Journal::Create(path, kHeader, {});
  umask(mask);
  REQUIRE(journal.ok());
  struct stat info;
  REQUIRE(stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  CHECK(Journal::Create(path, kHeader, {}).status().message().find("File exists") != std::string::npos);
  REQUIRE(AppendAndWait(**journal, Created("a")).ok());
  CHECK(NamesIn(*ReadJournal(path, {})) == "a");
  REQUIRE((*journal)->Remove().ok());
  CHECK(ReadJournal(path, {}).status().code() == Code::kNotFound);
}

// Another process has taken the stack. The journal refuses new operations, and keeps the records of ended ones.
TEST_CASE("a journal that lost the stack acknowledges nothing, and keeps all that happened", "[journal]") {
  const TempFolder folder;
  const std::string path = folder / "stack.journal", kept = folder / "stack.kept";
  auto journal = *Journal::Create(path, kHeader, {});
  std::atomic<bool> held{true};
  journal->set_ownership_check(
      [&held] { return held ? Status::Ok() : Status(Code::kAborted, "the lock was removed"); });
  REQUIRE(AppendAndWait(*journal, Created("a", 1)).ok());
  SECTION("the lock was removed") { held = false; }
  SECTION("the file was taken over") { std::filesystem::rename(path, path + ".taken"); }
  SECTION("the file was replaced") {
    std::filesystem::copy_file(path, path + ".new");
    std::filesystem::rename(path + ".new", path);
  }
  SECTION("the folder was removed") { std::filesystem::remove(path); }
  CHECK(AppendAndWait(*journal, Created("b", 2)).code() == Code::kAborted);
  const bool was_held = held;
  held = true;
  if (!was_held) CHECK(AppendAndWait(*journal, Created("c", 3)).code() == Code::kAborted);  // lost is lost
  if (was_held) CHECK(AppendAndWait(*journal, Created("c", 3)).code() == Code::kAborted);
  REQUIRE(journal->KeepAside(kept).message() == "");
  const auto contents = ReadJournal(kept, {});
  REQUIRE(contents.status().message() == "");
  REQUIRE(contents->entries.size() == 4);
  CHECK(contents->entries[2].state->urn.name() == "c");
  CHECK(contents->entries[3].kind == EntryKind::kFence);
  CHECK(contents->entries[3].proven == 2);  // the header and a
  struct stat info;
  REQUIRE(stat(kept.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("a journal that lost its name does not remove the file that has it now", "[journal]") {
  const TempFolder folder;
  const std::string path = folder / "stack.journal";
  auto first = *Journal::Create(path, kHeader, {});
  std::filesystem::rename(path, path + ".taken");
  auto second = *Journal::Create(path, kHeader, {});
  REQUIRE(first->Remove().ok());
  CHECK(second->InPlace());
}

TEST_CASE("a journal starts where there is less than the space it likes to reserve", "[journal]") {
  FaultyDisk disk;
  disk.capacity = 100 * 1024;
  auto journal = OpenOn(&disk);
  JournalEntry begin = Created("a", 1);
  begin.kind = EntryKind::kBegin;
  begin.operation = OperationType::kCreating;
  Status begun;
  int64_t operation = 1;
  for (; operation < 2000 && begun.ok(); ++operation) {
    begin.operation_id = operation;
    begun = AppendAndWait(*journal, begin);
    if (begun.ok()) CHECK(AppendAndWait(*journal, Created("a", operation)).ok());
  }
  // Room is kept for what has begun: a beginning is what is refused, and never an end.
  CHECK(begun.code() == Code::kResourceExhausted);
  CHECK(operation > 100);
}

TEST_CASE("a damaged journal is named with its path", "[journal]") {
  const TempFolder folder;
  const std::string path = folder / "stack.journal";
  std::ofstream(path) << "this is no journal at all";
  CHECK(ReadJournal(path, {}).status().message() ==
        "journal " + path + ": the first 16 bytes are not those of a journal of this version");
}

TEST_CASE("a secret that cannot be encrypted is neither written nor shown", "[journal]") {
  FaultyDisk disk;
  auto journal = OpenOn(&disk);
  REQUIRE(AppendAndWait(*journal, Created("a")).ok());
  JournalEntry entry = Created("b");
  entry.state = TestState("b", [](State* s) { s->inputs.Set("password", Value::Secret(Value("hunter2"))); });
  const Status status = AppendAndWait(*journal, entry);
  CHECK_FALSE(status.ok());
  CHECK(status.message().find(testing::TestUrn("b").str()) != std::string::npos);
  CHECK(status.message().find("hunter2") == std::string::npos);
  CHECK(disk.Bytes().find("hunter2") == std::string::npos);
  CHECK_FALSE(AppendAndWait(*journal, Created("c")).ok());
  CHECK(NamesIn(*ParseJournal(disk.Bytes(), {})) == "a");
}

}  // namespace kingpost::journal_test
