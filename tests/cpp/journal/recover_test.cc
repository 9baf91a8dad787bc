// Recovery: whatever the moment at which an operation died, the next command finds all that was acknowledged.
#include "journal/recover.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>

#include "journal/finish.h"
#include "journal/merge.h"
#include "journal/random_run.h"
#include "journal/replay.h"
#include "store/durable_file.h"
#include "store/journal_places.h"
#include "support/temp_folder.h"

namespace kingpost {
namespace {

using testing::Names;
using testing::TestState;

const StackName kStack = {"organization", "project", "stack"};
const SealOptions kSeal = {"2026-01-02T03:04:05.000000006Z", "3.260.0", "kingpost up"};

// A store in a folder of its own, holding `base`.
class Bench {
 public:
  explicit Bench(const Snapshot& base) {
    auto store = OpenStore("file://" + folder_.path());
    REQUIRE(store.status().message() == "");
    store_ = std::shared_ptr<StateStore>(*std::move(store));
    base_bytes_ = Encode(base);
    REQUIRE(store_->Save(kStack, base_bytes_).message() == "");
  }

  static std::string Encode(const Snapshot& snapshot) {
    auto bytes = EncodeCheckpoint({.stack = kStack.str(), .has_latest = true, .snapshot = snapshot}, {});
    REQUIRE(bytes.ok());
    return *bytes;
  }

  std::unique_ptr<Journal> Begin() {
    auto journal = Journal::Create(journal_path(), {kStack.str(), base_hash(), "update"}, {});
    REQUIRE(journal.status().message() == "");
    return *std::move(journal);
  }

  Snapshot Saved() {
    auto document = store_->Load(kStack);
    REQUIRE(document.ok());
    auto decoded = DecodeCheckpoint(document->bytes, {});
    REQUIRE(decoded.ok());
    return decoded->snapshot;
  }

  std::string base_hash() const { return CheckpointHash(base_bytes_); }
  bool HasJournal() const { return std::filesystem::exists(journal_path()); }
  std::string journal_path() const { return *store_->JournalPath(kStack); }
  std::shared_ptr<StateStore> store() { return store_; }

 private:
  TempFolder folder_;
  std::shared_ptr<StateStore> store_;
  std::string base_bytes_;
};

JournalEntry Created(const std::string& name, int64_t operation) {
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = operation;
  entry.state = TestState(name);
  return entry;
}

JournalEntry BeginCreate(const std::string& name, int64_t operation) {
  JournalEntry entry;
  entry.operation_id = operation;
  entry.operation = OperationType::kCreating;
  entry.state = TestState(name);
  return entry;
}

}  // namespace

TEST_CASE("an interrupted operation is recovered, and what it left open is named", "[journal]") {
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
  CHECK(lines[1] == "nobody knows whether this took effect: creating " + testing::TestUrn("c").str());

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

TEST_CASE("the end of an operation saves the document and removes the journal", "[journal]") {
  Bench bench(testing::TestSnapshot({}));
  auto journal = bench.Begin();
  journal->Append(Created("b", 1), nullptr);
  const Snapshot next = testing::TestSnapshot({TestState("b")});
  REQUIRE(SaveAndRemove(*journal, *bench.store(), kStack, Bench::Encode(next)).ok());
  CHECK(Names(bench.Saved().resources) == "b");
  CHECK_FALSE(bench.HasJournal());
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

TEST_CASE("a journal that was never written to, or only begun, is told and removed", "[journal]") {
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
    CHECK(report->Lines()[0].find(begun ? "of an interrupted update that had done nothing yet" : "nothing is written") !=
          std::string::npos);
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

TEST_CASE("the first secrets of a stack are recovered with who can read them, and without a passphrase", "[journal]") {
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

TEST_CASE("for who turns the check off, an integrity error is written into the checkpoint and reported", "[journal]") {
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

TEST_CASE("a state that is not in order is never saved over a good one", "[journal]") {
  Bench bench(Dependent());
  const std::string good = bench.store()->Load(kStack)->bytes;
  const JournalPlaces places(bench.journal_path());
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

  SECTION("it can be repaired") {
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
  SECTION("who insists gets it, marked") {
    REQUIRE(Recover(*bench.store(), kStack, {kSeal, true, nullptr}).ok());
    CHECK_FALSE(bench.Saved().integrity_error_json.empty());
    CHECK_FALSE(bench.HasJournal());
  }
  SECTION("who only reads sees it, and it stays") {
    const auto leftover = PeekLeftover(*bench.store(), kStack, kSeal);
    REQUIRE(leftover.status().message() == "");
    CHECK_FALSE(leftover->report.integrity.ok());
    CHECK(bench.HasJournal());
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

TEST_CASE("who only reads sees what a crash left, and writes nothing", "[journal]") {
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
  const JournalPlaces places(bench.journal_path());
  bench.Begin()->Append(Created("b", 1), nullptr);
  std::filesystem::rename(places.journal, places.taken);
  bool saved = false;
  SECTION("after it took the journal") {}
  SECTION("after it noted what it was about to save") { std::ofstream(places.commit) << "01234567 cafe\n"; }
  SECTION("after it saved") {
    saved = true;
    std::filesystem::copy_file(places.taken, places.journal);
    const std::string base = bench.store()->Load(kStack)->bytes;
    REQUIRE(Recover(*bench.store(), kStack, kSeal).ok());  // of .taken; the copy is gone on with below
    CHECK(bench.store()->Load(kStack)->bytes != base);
  }
  const auto report = Recover(*bench.store(), kStack, kSeal);
  if (saved) {
    // Without its note the copy is of a journal that counts from another checkpoint.
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
  const JournalPlaces places(bench.journal_path());
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

TEST_CASE("an operation that lost the stack keeps its journal for the merge, and saves nothing", "[journal]") {
  Bench bench(testing::TestSnapshot({TestState("a")}));
  const JournalPlaces places(bench.journal_path());
  auto lock = *bench.store()->Lock(kStack);
  auto journal = bench.Begin();
  journal->set_proof([&lock] { return lock->StillHeld(); });
  journal->Append(BeginCreate("b", 1), nullptr);
  REQUIRE(*bench.store()->BreakLocks(kStack) == 1);
  bool taken = false;
  SECTION("and nobody has come since") {}
  SECTION("and another has taken over") {
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
    CHECK(finished.status.message().find("the next command on the stack takes it in") != std::string::npos);
    REQUIRE(Recover(*bench.store(), kStack, kSeal).ok());
    CHECK(Names(bench.Saved().resources) == "b a");
    CHECK(bench.Saved().pending_operations.empty());
    return;
  }
  const std::string message = finished.status.message();
  const size_t at = message.find("'kingpost state recover ");
  REQUIRE(at != std::string::npos);
  const std::string kept = message.substr(at + 24, message.find('\'', at + 24) - at - 24);
  Snapshot snapshot = bench.Saved();
  CHECK(snapshot.pending_operations.size() == 1);
  const auto report = MergeJournal(*ReadJournal(kept, {}), &snapshot);
  REQUIRE(report.status().message() == "");
  CHECK(Names(snapshot.resources) == "a b");
  CHECK(snapshot.pending_operations.empty());
}

}  // namespace kingpost
