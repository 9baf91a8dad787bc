// SPDX-License-Identifier: Apache-2.0
// Checks recovery: whenever an operation died, the next command finds every acknowledged entry.
#include "journal/recover.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>

#include "base/disk/durable_file.h"
#include "journal/bench.h"
#include "journal/finish.h"
#include "journal/random_run.h"
#include "journal/replay.h"
#include "kingpost/journal_paths.h"
#include "kingpost/secrets_manager.h"
#include "support/temp_folder.h"

namespace kingpost::recover_test {

using testing::BeginCreate;
using testing::Bench;
using testing::Created;
using testing::kSeal;
using testing::kStack;
using testing::Names;
using testing::TestState;

TEST_CASE("an interrupted operation is recovered, and its pending operations are named", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  {
    auto journal = bench.Begin();
    journal->Append(Created("b", 1), nullptr);
    journal->Append(BeginCreate("c", 2), nullptr);
  }
  const auto report = Recover(*bench.store(), kStack, kSeal);
  REQUIRE(report.status().message() == "");
  CHECK(report->found);
  CHECK_FALSE(report->already_saved);
  CHECK(report->operation == "update");
  CHECK(report->entries == 2);
  CHECK(report->resources == 2);
  CHECK(report->integrity.ok());
  REQUIRE(report->interrupted.size() == 1);
  const auto lines = report->Lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "recovered an interrupted update: 2 journal records replayed, the stack has 2 resources");
  CHECK(lines[1] == "the engine cannot tell whether this took effect: creating " + testing::TestUrn("c").str());

  const Snapshot saved = bench.Saved();
  CHECK(Names(saved.resources) == "b a");
  CHECK(saved.manifest.time == kSeal.now_rfc3339);
  REQUIRE(saved.pending_operations.size() == 1);
  CHECK_FALSE(bench.HasJournal());
  const auto again = Recover(*bench.store(), kStack, kSeal);
  REQUIRE(again.ok());
  CHECK_FALSE(again->found);
  CHECK(again->Lines().empty());
}

TEST_CASE("a crash between saving and removing the journal leaves nothing to do", "[journal]") {
  Bench bench(testing::TestSnapshot({}));
  const std::string next = Bench::Encode(testing::TestSnapshot({TestState("b")}));
  {
    auto journal = bench.Begin();
    journal->Append(Created("b", 1), nullptr);
    JournalEntry commit;
    commit.kind = EntryKind::kCommit;
    commit.checkpoint_hash = CheckpointHash(next);
    journal->Append(commit, nullptr);
  }
  REQUIRE(bench.store()->Save(kStack, next).ok());
  const auto report = Recover(*bench.store(), kStack, kSeal);
  REQUIRE(report.ok());
  CHECK(report->already_saved);
  CHECK(report->Lines().empty());
  CHECK(bench.store()->Load(kStack)->bytes == next);
  CHECK_FALSE(bench.HasJournal());
}

TEST_CASE("a save that fails leaves the journal, at the end and in recovery", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  const auto full = NewFaultyStore(bench.store(), {.fail_at = 1, .fail_after = true});
  {
    auto journal = bench.Begin();
    journal->Append(Created("b", 1), nullptr);
    CHECK_FALSE(SaveAndRemove(*journal, *full, kStack, Bench::Encode(testing::TestSnapshot({}))).ok());
  }
  for (int attempt = 0; attempt < 3; ++attempt) {
    CHECK_FALSE(Recover(*full, kStack, kSeal).ok());
    CHECK(bench.HasJournal());
    CHECK(Names(bench.Saved().resources) == "a");
  }
  const auto report = Recover(*bench.store(), kStack, kSeal);
  REQUIRE(report.status().message() == "");
  CHECK(report->entries == 1);  // commits that came to nothing do not count
  CHECK(Names(bench.Saved().resources) == "b a");
}

TEST_CASE("a journal is not replayed on a checkpoint that something else has changed", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  bench.Begin()->Append(Created("b", 1), nullptr);
  const std::string foreign = Bench::Encode(testing::TestSnapshot({TestState("other")}));
  REQUIRE(bench.store()->Save(kStack, foreign).ok());
  const auto report = Recover(*bench.store(), kStack, kSeal);
  CHECK(report.status().message().find("does not continue the checkpoint") != std::string::npos);
  CHECK(report.status().message().find(bench.journal_path()) != std::string::npos);
  CHECK(bench.HasJournal());
  CHECK(bench.store()->Load(kStack)->bytes == foreign);
}

TEST_CASE("an empty journal, or one with a header alone, is reported and removed", "[journal]") {
  for (const bool begun : {false, true}) {
    Bench bench(testing::TestSnapshot({TestState("a")}));
    if (begun) {
      bench.Begin();
    } else {
      (void)MakeFolders(std::filesystem::path(bench.journal_path()).parent_path().string());
      std::ofstream(bench.journal_path()) << std::string(5000, '\0');
    }
    const auto report = Recover(*bench.store(), kStack, kSeal);
    REQUIRE(report.status().message() == "");
    CHECK(report->empty);
    REQUIRE(report->Lines().size() == 1);
    CHECK(report->Lines()[0].find(begun ? "of an interrupted update that had done nothing yet"
                                        : "found an empty journal") != std::string::npos);
    CHECK_FALSE(bench.HasJournal());
    CHECK(Names(bench.Saved().resources) == "a");
  }
}

TEST_CASE("a damaged journal stays where it is, and so does the checkpoint", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  bench.Begin()->Append(Created("b", 1), nullptr);
  std::string bytes = *ReadWholeFile(bench.journal_path());
  bytes[40] ^= 1;  // in the header's record
  std::ofstream(bench.journal_path(), std::ios::binary) << bytes;
  CHECK(Recover(*bench.store(), kStack, kSeal).status().message().find("record 0 at byte 16 is damaged") !=
        std::string::npos);
  CHECK(bench.HasJournal());
  CHECK(Names(bench.Saved().resources) == "a");
}

TEST_CASE("a stack without a checkpoint is recovered from its journal alone", "[journal]") {
  Bench bench(testing::TestSnapshot({}));
  REQUIRE(bench.store()->Remove(kStack, true).ok());
  auto journal = Journal::Create(bench.journal_path(), {kStack.str(), CheckpointHash(""), "update"}, {});
  REQUIRE(journal.ok());
  (*journal)->Append(Created("b", 1), nullptr);
  REQUIRE((*journal)->Close().ok());
  REQUIRE(Recover(*bench.store(), kStack, kSeal).status().message() == "");
  CHECK(Names(bench.Saved().resources) == "b");
}

TEST_CASE("the first secrets of a stack are recovered with their secrets manager, and without a passphrase",
          "[journal]") {
  auto secrets = OpenSecretsManager("b64", "{}", FixedPassphrase(""));
  REQUIRE(secrets.status().message() == "");
  Bench bench(testing::TestSnapshot({}));
  {
    EncodeOptions options;
    options.secrets = secrets->get();
    auto journal = Journal::Create(bench.journal_path(), {kStack.str(), bench.base_hash(), "update"}, options);
    REQUIRE(journal.ok());
    JournalEntry entry = Created("b", 1);
    entry.state = TestState("b", [](State* s) { s->inputs.Set("password", Value::Secret(Value("hunter2"))); });
    (*journal)->Append(entry, nullptr);
  }
  CHECK(ReadWholeFile(bench.journal_path())->find("hunter2") == std::string::npos);
  const auto report = Recover(*bench.store(), kStack, kSeal);
  REQUIRE(report.status().message() == "");
  const std::string saved = bench.store()->Load(kStack)->bytes;
  DecodeOptions options;
  options.secrets = secrets->get();
  const auto decoded = DecodeCheckpoint(saved, options);
  REQUIRE(decoded.status().message() == "");
  CHECK(decoded->snapshot.secrets_type == "b64");
  CHECK(decoded->snapshot.resources[0]->inputs.Find("password")->as_secret().element.as_string() == "hunter2");
}

TEST_CASE("without the check, recovery writes an integrity error into the checkpoint and reports it", "[journal]") {
  Bench bench(testing::TestSnapshot({}));
  JournalEntry orphan = Created("b", 1);
  orphan.state = TestState("b", [](State* s) { s->dependencies = {testing::TestUrn("gone")}; });
  bench.Begin()->Append(orphan, nullptr);
  const auto report = Recover(*bench.store(), kStack, RecoverOptions{kSeal, true, nullptr});
  REQUIRE(report.status().message() == "");
  CHECK(report->integrity.message().find("failed to verify snapshot: resource ") == 0);
  CHECK(report->Lines().size() == 2);
  CHECK(bench.Saved().integrity_error_json.find("refers to missing resource") != std::string::npos);
}

TEST_CASE("a run cut off after any entry is recovered as the engine had it in memory", "[journal]") {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    const testing::RandomRun run = testing::MakeRandomRun(seed);
    for (size_t count = 0; count <= run.entries.size(); count += 6) {
      INFO("seed " << seed << ", " << count << " entries");
      Bench bench(run.base);
      Replayer live(std::make_shared<const Snapshot>(run.base));
      {
        auto journal = bench.Begin();
        for (size_t i = 0; i < count; ++i) {
          REQUIRE(live.Apply(run.entries[i]).ok());
          journal->Append(run.entries[i], nullptr);
        }
      }
      const auto report = Recover(*bench.store(), kStack, kSeal);
      REQUIRE(report.status().message() == "");
      CHECK(report->integrity.ok());
      Snapshot expected = live.Materialize();
      CHECK(SealSnapshot(kSeal, &expected).ok());
      const std::string saved = bench.store()->Load(kStack)->bytes;
      CHECK((count == 0 || saved == Bench::Encode(expected)));
    }
  }
}

// Everything in the folder of the store, by name.
std::map<std::string, std::string> FilesUnder(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    files[entry.path().string()] = entry.is_regular_file() ? *ReadWholeFile(entry.path().string()) : "";
  }
  return files;
}

TEST_CASE("a read sees the records of a crashed operation, and writes nothing", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  bench.Begin()->Append(Created("b", 1), nullptr);
  const std::string root = bench.store()->url().substr(7);
  const auto before = FilesUnder(root);
  const auto leftover = PeekLeftover(*bench.store(), kStack, kSeal);
  REQUIRE(leftover.status().message() == "");
  CHECK(leftover->report.Lines().size() == 1);
  CHECK(Names(DecodeCheckpoint(leftover->document.bytes, {})->snapshot.resources) == "b a");
  CHECK(FilesUnder(root) == before);
}

// Wherever a recovery dies, the next one ends it.
TEST_CASE("a recovery that was cut off is ended by the next", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  const JournalPaths places(bench.journal_path());
  bench.Begin()->Append(Created("b", 1), nullptr);
  std::filesystem::rename(places.journal, places.taken);
  bool saved = false;
  SECTION("after it took the journal") {}
  SECTION("after it noted the checkpoint that it was about to save") {
    std::ofstream(places.commit) << "01234567 cafe\n";
  }
  SECTION("after it saved") {
    saved = true;
    std::filesystem::copy_file(places.taken, places.journal);
    const std::string base = bench.store()->Load(kStack)->bytes;
    REQUIRE(Recover(*bench.store(), kStack, kSeal).ok());  // recovers .taken; the call below goes on with the copy
    CHECK(bench.store()->Load(kStack)->bytes != base);
  }
  const auto report = Recover(*bench.store(), kStack, kSeal);
  if (saved) {
    // Without its note, the copied journal belongs to another checkpoint.
    CHECK(report.status().message().find("does not continue") != std::string::npos);
    return;
  }
  REQUIRE(report.status().message() == "");
  CHECK(Names(bench.Saved().resources) == "b a");
  CHECK_FALSE(FileExists(places.taken));
  CHECK_FALSE(FileExists(places.commit));
}

TEST_CASE("a recovery that died between saving and removing the journal is known by its note", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  const JournalPaths places(bench.journal_path());
  bench.Begin()->Append(Created("b", 1), nullptr);
  const std::string next = Bench::Encode(testing::TestSnapshot({TestState("b"), TestState("a")}));
  const auto salt = ReadJournal(places.journal, {})->salt;
  char note[128];
  std::snprintf(note, sizeof note, "%08x %s\n", salt, CheckpointHash(next).c_str());
  std::filesystem::rename(places.journal, places.taken);
  std::ofstream(places.commit) << note;
  REQUIRE(bench.store()->Save(kStack, next).ok());
  const auto report = Recover(*bench.store(), kStack, kSeal);
  REQUIRE(report.status().message() == "");
  CHECK(report->already_saved);
  CHECK(bench.store()->Load(kStack)->bytes == next);
  CHECK_FALSE(FileExists(places.taken));
  CHECK_FALSE(FileExists(places.commit));
}

}  // namespace kingpost::recover_test
