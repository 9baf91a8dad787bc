// SPDX-License-Identifier: Apache-2.0
// Checks a bucket with the reference's keys alone (KINGPOST_CHECKPOINT_EVERY_STEP): an acknowledged entry is in the
// checkpoint itself.
#include "journal/checkpoint_file.h"

#include <catch2/catch.hpp>
#include <future>

#include "journal/bench.h"
#include "journal/finish.h"
#include "remote/blob/memory_bucket.h"
#include "store/blob_store.h"

namespace kingpost::checkpoint_file_test {

using testing::BeginCreate;
using testing::Bench;
using testing::Created;
using testing::kSeal;
using testing::kStack;
using testing::TestState;

class Fixture {
 public:
  explicit Fixture(bool only_at_the_end = false) {
    const std::string base = Bench::Encode(testing::TestSnapshot({TestState("a")}));
    REQUIRE(store.Save(kStack, base).ok());
    auto taken = store.Lock(kStack);
    REQUIRE(taken.status().message() == "");
    lock = *std::move(taken);
    CheckpointFileOptions options{kSeal, base, only_at_the_end};
    auto made = Journal::CreateOn(NewCheckpointFile(store, kStack, options),
                                  {kStack.str(), CheckpointHash(base), "update"}, {});
    REQUIRE(made.ok());
    journal = *std::move(made);
  }

  Status Append(JournalEntry entry) {
    auto synced = std::make_shared<std::promise<Status>>();
    journal->Append(std::move(entry), [synced](Status status) { synced->set_value(std::move(status)); });
    return synced->get_future().get();
  }

  // The names of what is saved, and "+" for each pending operation.
  std::string Saved() {
    const auto document = store.Load(kStack);
    const auto decoded = DecodeCheckpoint(document->bytes, {});
    REQUIRE(decoded.ok());
    std::string names;
    for (const auto& state : decoded->snapshot.resources) names += state->urn.name();
    return names + std::string(decoded->snapshot.pending_operations.size(), '+');
  }

  std::shared_ptr<MemoryBucket> bucket = std::make_shared<MemoryBucket>();
  BlobStore store{bucket, "", {.every_step = true}};
  std::unique_ptr<StackLock> lock;
  std::unique_ptr<Journal> journal;
};

TEST_CASE("each step is in the checkpoint when it is acknowledged", "[journal][blob]") {
  Fixture f;
  REQUIRE(f.Append(BeginCreate("b", 1)).message() == "");
  CHECK(f.Saved() == "a+");
  REQUIRE(f.Append(Created("b", 1)).message() == "");
  CHECK(f.Saved() == "ba");
  REQUIRE(f.Append(BeginCreate("c", 2)).message() == "");
  CHECK(f.Saved() == "ba+");
  CHECK(f.bucket->List(".pulumi/journals/", false)->empty());
  CHECK(f.bucket->List(".pulumi/locks/", false)->size() == 1);
  REQUIRE(SaveAndRemove(*f.journal, f.store, kStack, Bench::Encode(testing::TestSnapshot({TestState("z")}))).ok());
  CHECK(f.Saved() == "z");
  REQUIRE(f.lock->Release().ok());
  CHECK(f.bucket->List(".pulumi/locks/", false)->empty());
}

TEST_CASE("a journal that is read while it grows gives the same records as the whole file", "[journal][blob]") {
  Bench bench(testing::TestSnapshot({}));
  std::vector<size_t> ends;  // of the file, after each record
  {
    const auto journal = bench.Begin();
    for (int number = 1; number <= 5; ++number) {
      std::promise<Status> synced;
      journal->Append(Created("r" + std::to_string(number), number), [&](Status status) { synced.set_value(status); });
      REQUIRE(synced.get_future().get().ok());
      ends.push_back(ParseJournal(Slurp(bench.journal_path()), {})->valid_bytes);
    }
    REQUIRE(journal->Close().ok());
  }
  const std::string bytes = Slurp(bench.journal_path()).substr(0, ends.back());
  for (size_t cut = 0; cut + 1 < ends.size(); ++cut) {
    auto contents = ParseJournal(bytes.substr(0, ends[cut]), {});
    REQUIRE(contents.ok());
    REQUIRE(ParseMore(std::string_view(bytes).substr(ends[cut]), {}, &*contents).message() == "");
    REQUIRE(contents->entries.size() == ends.size() - cut - 1);
    CHECK(contents->entries.front().state->urn.name() == "r" + std::to_string(cut + 2));
    CHECK((contents->records == 6 && contents->valid_bytes == bytes.size()));
    std::string damaged = bytes.substr(ends[cut]);
    damaged[damaged.size() / 2] ^= 1;
    auto again = ParseJournal(bytes.substr(0, ends[cut]), {});
    const Status read = ParseMore(damaged, {}, &*again);
    CHECK((!read.ok() || again->entries.size() < ends.size() - cut - 1));
  }
}

TEST_CASE("a checkpoint that is skipped is saved at the end", "[journal][blob]") {
  Fixture f(/*only_at_the_end=*/true);
  REQUIRE(f.Append(BeginCreate("b", 1)).ok());
  REQUIRE(f.Append(Created("b", 1)).ok());
  CHECK(f.Saved() == "a");
  REQUIRE(SaveAndRemove(*f.journal, f.store, kStack, Bench::Encode(testing::TestSnapshot({TestState("b")}))).ok());
  CHECK(f.Saved() == "b");
}

TEST_CASE("the reference's lock keeps other commands out, and its holder notices that it was removed",
          "[journal][blob]") {
  Fixture f;
  BlobStore other(f.bucket, "", {.every_step = true}), usual(f.bucket, "", {});
  CHECK(other.Lock(kStack).status().message().find("the stack is currently locked by 1 lock(s)") == 0);
  CHECK(usual.Lock(kStack).status().message().find("the stack is currently locked by 1 lock(s)") == 0);
  CHECK(other.Locks(kStack)->size() == 1);
  CHECK(*other.BreakLocks(kStack) == 1);
  CHECK(f.lock->WhileHeld([] { return Status::Ok(); }).code() == Code::kAborted);
  REQUIRE(other.Lock(kStack).ok());
}

}  // namespace kingpost::checkpoint_file_test
