// SPDX-License-Identifier: Apache-2.0
// Checks requests that the network delays until another command has taken over the stack: no such request destroys what
// that command recorded.
#include <catch2/catch.hpp>
#include <functional>

#include "journal/blob_command.h"

namespace kingpost::late_requests_test {

using testing::BucketWith;
using testing::Command;
using testing::Encoded;
using testing::kSeal;
using testing::kStack;
using testing::ObjectsBelow;
using testing::Saved;

constexpr int kLeaseMs = 61'000;

// A command that takes the stack of a dead owner, recovers its records, and goes on working.
struct Heir {
  explicit Heir(const std::shared_ptr<MemoryBucket>& where) : bucket(where), command(where) {}

  void Come() {
    bucket->Advance(kLeaseMs);
    if (!command.Take().ok()) return;
    came = true;
    REQUIRE(Recover(*command.store, kStack, kSeal).status().message() == "");
    REQUIRE(command.Begin().ok());
    (void)Record("x");
  }
  Status Record(const std::string& name) {
    const Status recorded = command.Append(name, ++records);
    if (recorded.ok()) acknowledged += name;
    return recorded;
  }

  const std::shared_ptr<MemoryBucket> bucket;
  Command command;
  bool came = false;
  int records = 0;
  std::string acknowledged;
};

// Returns the resources that the next command finds, after the leases of all others have run out.
std::string Found(const std::shared_ptr<MemoryBucket>& bucket) {
  bucket->Advance(kLeaseMs);
  Command next(bucket);
  REQUIRE(next.Take().message() == "");
  REQUIRE(Recover(*next.store, kStack, kSeal).status().message() == "");
  const std::string saved = Saved(next);
  REQUIRE(next.lock->Release().ok());
  return saved;
}

void CheckNothingLost(const std::shared_ptr<MemoryBucket>& bucket, const std::string& acknowledged) {
  const std::string found = Found(bucket);
  for (const char name : acknowledged) {
    INFO("acknowledged " << acknowledged << ", found " << found);
    CHECK(found.find(name) != std::string::npos);
  }
}

std::shared_ptr<MemoryBucket> BucketOfDeadOwner() {
  const auto bucket = BucketWith({"a"});
  Command owner(bucket);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.Begin().ok());
  REQUIRE(owner.Append("b", 1).ok());
  owner.Die();
  return bucket;
}

TEST_CASE("a cancel that is late at any request loses no record of the new owner", "[journal][blob]") {
  bool late = true;
  int works = 0, stopped = 0;
  for (int call = 1; late; ++call) {
    INFO("late at request " << call);
    const auto bucket = BucketOfDeadOwner();
    Command canceller(bucket);
    Heir heir(bucket);
    canceller.network->Break({BucketFaults::Kind::kDelayed, call, false, [&] { heir.Come(); }});
    const Result<int> cancelled = canceller.store->BreakLocks(kStack);
    late = canceller.network->calls() >= call;
    canceller.network->Break({});
    if (!heir.came) continue;
    const Status recorded = heir.Record("y");
    CHECK(cancelled.status().message() == "");
    CHECK((recorded.ok() || recorded.code() == Code::kAborted));
    CHECK(recorded.ok() == heir.command.lock->WhileHeld([] { return Status::Ok(); }).ok());
    works += recorded.ok() ? 1 : 0;
    stopped += recorded.ok() ? 0 : 1;
    heir.command.Die();
    CheckNothingLost(bucket, "b" + heir.acknowledged);
  }
  CHECK(stopped > 0);  // by a cancel that was late with the head, or before it
  CHECK(works > 0);    // what comes behind the head is about the former owner alone
}

TEST_CASE("a release that is late at any request leaves the heir's head", "[journal][blob]") {
  bool late = true;
  for (int call = 1; late; ++call) {
    INFO("late at request " << call);
    const auto bucket = BucketWith({"a"});
    Command owner(bucket);
    REQUIRE(owner.Take().ok());
    REQUIRE(owner.Begin().ok());
    REQUIRE(owner.Append("b", 1).ok());
    REQUIRE(SaveAndRemove(*owner.journal, *owner.store, kStack, Encoded({"b", "a"})).ok());
    Heir heir(bucket);
    owner.network->Break({BucketFaults::Kind::kDelayed, call, false, [&] { heir.Come(); }});
    (void)owner.lock->Release();
    late = owner.network->calls() >= call;
    owner.network->Break({});
    if (!heir.came) continue;
    CHECK(heir.command.lock->WhileHeld([] { return Status::Ok(); }).message() == "");
    CHECK(heir.Record("y").message() == "");
    heir.command.Die();
    CheckNothingLost(bucket, "b" + heir.acknowledged);
  }
}

// An action of a command on the stack that it holds. The test holds back each of its requests in turn.
struct Act {
  const char* name;
  bool records;  // "b" is acknowledged before
  std::function<void(Command& owner)> act;
};

void CheckLate(const Act& what) {
  bool late = true;
  for (int call = 1; late; ++call) {
    INFO(what.name << ", late at request " << call);
    const auto bucket = BucketWith({"a"});
    Command owner(bucket);
    REQUIRE(owner.Take().ok());
    REQUIRE(owner.store->Load(kStack).ok());
    if (what.records) {
      REQUIRE(owner.Begin().ok());
      REQUIRE(owner.Append("b", 1).ok());
    }
    Heir heir(bucket);
    owner.network->Break({BucketFaults::Kind::kDelayed, call, false, [&] { heir.Come(); }});
    what.act(owner);
    late = owner.network->calls() >= call;
    owner.Die();
    if (!heir.came) continue;
    CHECK(heir.Record("y").message() == "");
    heir.command.Die();
    CheckNothingLost(bucket, heir.acknowledged + (what.records ? "b" : ""));
  }
}

TEST_CASE("a late save or late tags undo nothing that the new owner of the lock did", "[journal][blob]") {
  CheckLate({"save at the end", true, [](Command& owner) {
               (void)SaveAndRemove(*owner.journal, *owner.store, kStack, Encoded({"b", "a"}));
             }});
  CheckLate({"save of an import", false, [](Command& owner) { (void)owner.store->Save(kStack, Encoded({"z", "a"})); }});
  CheckLate({"tags", false, [](Command& owner) { (void)owner.store->SaveTags(kStack, {{"team", "blue"}}); }});
}

// The stack may be gone when the heir comes, and is made anew then.
TEST_CASE("a late removal does not remove the stack that was created again", "[journal][blob]") {
  bool late = true;
  for (int call = 1; late; ++call) {
    INFO("late at request " << call);
    const auto bucket = BucketWith({"a"});
    Command owner(bucket), heir(bucket);
    REQUIRE(owner.Take().ok());
    bool came = false;
    owner.network->Break({BucketFaults::Kind::kDelayed, call, false, [&] {
                            bucket->Advance(kLeaseMs);
                            came = heir.Take().ok() && Recover(*heir.store, kStack, kSeal).ok();
                            if (!came) return;
                            REQUIRE(heir.store->Load(kStack).ok());
                            REQUIRE(heir.store->Save(kStack, Encoded({"x"})).message() == "");
                            REQUIRE(heir.store->SaveTags(kStack, {{"team", "blue"}}).message() == "");
                          }});
    (void)owner.store->Remove(kStack, /*remove_backups=*/false);
    (void)owner.lock->Release();
    late = owner.network->calls() >= call;
    owner.Die();
    if (!came) continue;
    CHECK(heir.lock->WhileHeld([] { return Status::Ok(); }).message() == "");
    REQUIRE(heir.lock->Release().ok());
    Command next(bucket);
    CHECK(Saved(next) == "x");
    CHECK(next.store->LoadTags(kStack)->size() == 1);
  }
}

TEST_CASE("a removal ends well if another command takes the stack before its last request", "[journal][blob]") {
  bool late = true;
  int came = 0;
  for (int call = 1; late; ++call) {
    INFO("late at request " << call);
    const auto bucket = BucketWith({"a"});
    Command owner(bucket), next(bucket);
    REQUIRE(owner.Take().ok());
    REQUIRE(owner.store->Remove(kStack, /*remove_backups=*/false).ok());
    bool taken = false;
    owner.network->Break({BucketFaults::Kind::kDelayed, call, false, [&] { taken = next.Take().ok(); }});
    const Status released = owner.lock->Release();
    late = owner.network->calls() >= call;
    if (!taken) continue;
    ++came;
    CHECK(released.message() == "");
    CHECK(next.lock->WhileHeld([] { return Status::Ok(); }).message() == "");
  }
  CHECK(came > 0);
}

TEST_CASE("nothing is left of a stack that was removed with its backups", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  Command owner(bucket);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.store->Remove(kStack, /*remove_backups=*/true).ok());
  REQUIRE(owner.lock->Release().ok());
  CHECK(ObjectsBelow(*bucket, "") == 1);  // meta
}

const StackName kRenamed{kStack.organization, kStack.project, "renamed"};

// A command that holds a stack and its new name.
struct Renaming {
  explicit Renaming(std::shared_ptr<MemoryBucket> where = BucketWith({"a"})) : bucket(std::move(where)), owner(bucket) {
    REQUIRE(owner.Take().ok());
    auto locked = owner.store->Lock(kRenamed);
    REQUIRE(locked.ok());
    new_name = *std::move(locked);
    REQUIRE(owner.store->Load(kStack).ok());
  }

  // Renames the stack, with `meanwhile` before that request, and ends the command. False if it has no such request.
  bool Run(int call, std::function<void()> meanwhile) {
    owner.network->Break({BucketFaults::Kind::kDelayed, call, false, std::move(meanwhile)});
    (void)owner.store->Rename(kStack, kRenamed, Encoded({"a"}));
    const bool late = owner.network->calls() >= call;
    owner.Die();
    return late;
  }
  bool Exists(const StackName& stack) const { return Command(bucket).store->Load(stack)->exists; }

  const std::shared_ptr<MemoryBucket> bucket;
  Command owner;
  std::unique_ptr<StackLock> new_name;
};

// If the heir finds the stack under its old name, the stack stays there with all records of the heir.
TEST_CASE("a stack that is renamed late stays with the new owner, or is whole under its new name", "[journal][blob]") {
  bool late = true;
  int stayed = 0, went = 0;
  for (int call = 1; late; ++call) {
    INFO("late at request " << call);
    Renaming renaming;
    Heir heir(renaming.bucket);
    late = renaming.Run(call, [&] {
      if (renaming.Exists(kStack)) heir.Come();
    });
    if (heir.came) {
      CHECK(heir.Record("y").message() == "");
      heir.command.Die();
      CheckNothingLost(renaming.bucket, "a" + heir.acknowledged);
      ++stayed;
    } else {
      CHECK(renaming.Exists(kRenamed));
      ++went;
    }
  }
  CHECK(stayed > 0);
  CHECK(went > 0);
}

TEST_CASE("a rename whose old tags change meanwhile leaves the stack under one of its names", "[journal][blob]") {
  bool late = true;
  int went = 0;
  for (int call = 1; late; ++call) {
    INFO("changed before request " << call);
    const auto bucket = BucketWith({"a"});
    REQUIRE(Command(bucket).store->SaveTags(kStack, {{"team", "blue"}}).ok());
    Renaming renaming(bucket);
    late = renaming.Run(call, [&] { REQUIRE(Command(bucket).store->SaveTags(kStack, {{"team", "red"}}).ok()); });
    const bool there = renaming.Exists(kRenamed);
    CHECK((there || renaming.Exists(kStack)));
    went += there ? 1 : 0;
  }
  CHECK(went > 0);
}

// The other command compresses its states, so that its document has another key.
TEST_CASE("a stack whose new name another command takes meanwhile keeps its old name", "[journal][blob]") {
  bool late = true;
  int made = 0, found = 0;
  for (int call = 1; late; ++call) {
    INFO("late at request " << call);
    Renaming renaming;
    FileStoreOptions compressed;
    compressed.compression = Compression::kGzip;
    BlobStore other(renaming.bucket, "", compressed);
    std::unique_ptr<StackLock> lock;
    bool creates = false;
    late = renaming.Run(call, [&] {
      renaming.bucket->Advance(kLeaseMs);
      auto taken = other.Lock(kRenamed);
      if (!taken.ok()) return;
      lock = *std::move(taken);
      creates = !other.Load(kRenamed)->exists;
      if (creates) REQUIRE(other.Save(kRenamed, Encoded({"x"})).ok());
    });
    if (!lock) continue;
    ++(creates ? made : found);
    if (creates) CHECK(renaming.Exists(kStack));
    const auto decoded = DecodeCheckpoint(Command(renaming.bucket).store->Load(kRenamed)->bytes, {});
    REQUIRE(decoded.ok());
    CHECK(decoded->snapshot.resources.front()->urn.name() == (creates ? "x" : "a"));
  }
  CHECK(made > 0);
  CHECK(found > 0);
}

TEST_CASE("a takeover that is late at any request leaves the heir's head", "[journal][blob]") {
  bool late = true;
  for (int call = 1; late; ++call) {
    INFO("late at request " << call);
    const auto bucket = BucketOfDeadOwner();
    bucket->Advance(kLeaseMs);
    Command slow(bucket);
    Heir heir(bucket);
    slow.network->Break({BucketFaults::Kind::kDelayed, call, false, [&] { heir.Come(); }});
    const bool taken = slow.Take().ok() && Recover(*slow.store, kStack, kSeal).ok() &&
                       slow.lock->WhileHeld([] { return Status::Ok(); }).ok();
    late = slow.network->calls() >= call;
    slow.network->Break({});
    if (!heir.came) continue;
    const Status recorded = heir.Record("y");
    CHECK((recorded.ok() != taken));
    heir.command.Die();
    slow.Die();
    CheckNothingLost(bucket, "b" + heir.acknowledged);
  }
}

TEST_CASE("a cancel that races with the owner's writes still stops the owner", "[journal][blob]") {
  const auto bucket = BucketWith({"a"});
  Command owner(bucket), canceller(bucket);
  REQUIRE(owner.Take().ok());
  REQUIRE(owner.Begin().ok());
  // Its third request writes the head: meta, head and locks, the lock, then that.
  for (int call = 1; call <= 6; ++call) {
    canceller.network->Break({BucketFaults::Kind::kDelayed, call, false,
                              [&] { (void)owner.store->journals()->NoteCommit(kStack, std::to_string(call)); }});
  }
  CHECK(*canceller.store->BreakLocks(kStack) == 1);
  CHECK(owner.Append("b", 1).code() == Code::kAborted);
}

// The batches were about to go when its machine went.
TEST_CASE("a cancel frees the stack of a dead owner that had saved all records", "[journal][blob]") {
  const auto bucket = BucketOfDeadOwner();
  const auto head = bucket->Get(".pulumi/journals/project/stack/head.json");
  REQUIRE(*head);
  std::string saved = (*head)->bytes;
  const size_t at = saved.find("\"state\":\"open\"");
  REQUIRE(at != std::string::npos);
  saved.replace(at, sizeof("\"state\":\"open\"") - 1, "\"state\":\"saved\"");
  for (const BlobInfo& lock : *bucket->List(".pulumi/locks/", false)) REQUIRE(bucket->Delete(lock.key).ok());
  REQUIRE(bucket->Put(".pulumi/journals/project/stack/head.json", saved, PutCondition::Always(), "").ok());
  Command next(bucket);
  CHECK(next.Take().code() == Code::kFailedPrecondition);
  CHECK(*next.store->BreakLocks(kStack) == 1);
  CHECK(*next.store->BreakLocks(kStack) == 0);
  REQUIRE(next.Take().message() == "");
  CHECK_FALSE(Recover(*next.store, kStack, kSeal)->found);
  CHECK(Saved(next) == "a");
}

}  // namespace kingpost::late_requests_test
