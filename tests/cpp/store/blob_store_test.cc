// SPDX-License-Identifier: Apache-2.0
// BlobStore: the reference's layout key by key, and locks that keep both tools out.
#include "store/blob_store.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "remote/blob/faulty_bucket.h"
#include "remote/blob/memory_bucket.h"
#include "support/bucket_contract.h"

namespace kingpost::blob_store_test {

const StackName kDev{"organization", "shop", "dev"};
constexpr char kForeignLock[] =
    R"({"pid":1,"username":"ann","hostname":"elsewhere","timestamp":"2026-11-22T10:00:00.5Z"})";
constexpr char kLocks[] = ".pulumi/locks/organization/shop/dev/";

struct Fixture {
  std::shared_ptr<MemoryBucket> bucket = std::make_shared<MemoryBucket>();
  BlobStore store{bucket, "mem://bucket", {}};

  void PutObject(const std::string& key, const std::string& bytes) {
    REQUIRE(bucket->Put(key, bytes, PutCondition::Always(), kPlainText).ok());
  }
  std::string Bytes(const std::string& key) {
    const auto blob = bucket->Get(key);
    return blob.ok() && *blob ? (*blob)->bytes : "(none)";
  }
  // True if the stack dev, after an operation, has only a free head in its journal folder.
  bool FreeHeadOnly() {
    const std::string head = ".pulumi/journals/shop/dev/head.json";
    return Keys(".pulumi/journals/") == std::vector<std::string>{head} &&
           Bytes(head).find("\"state\":\"free\"") != std::string::npos;
  }
  std::vector<std::string> Keys(const std::string& prefix) { return KeysBelow(*bucket, prefix, false); }
};

TEST_CASE("objects lie where the reference looks for them", "[store][blob]") {
  Fixture f;
  REQUIRE(f.store.Save(kDev, "{\"v\":1}").ok());
  CHECK(f.Keys("") == std::vector<std::string>{".pulumi/meta.yaml", ".pulumi/stacks/shop/dev.json"});
  CHECK(f.Bytes(".pulumi/meta.yaml") == "version: 1\n");
  CHECK(f.bucket->ContentType(".pulumi/stacks/shop/dev.json") == "text/plain; charset=utf-8");
  REQUIRE(f.store.Save(kDev, "{\"v\":2}").ok());
  CHECK(f.Bytes(".pulumi/stacks/shop/dev.json.bak") == "{\"v\":1}");
  REQUIRE(f.store.RecordOperation(kDev, "{\"kind\":\"update\"}").ok());
  const std::vector<std::string> history = f.Keys(".pulumi/history/");
  REQUIRE(history.size() == 2);
  const std::string stem = history[0].substr(0, history[0].size() - sizeof("checkpoint.json") + 1);
  CHECK(stem.starts_with(".pulumi/history/shop/dev/dev-"));
  CHECK(f.Bytes(stem + "checkpoint.json") == "{\"v\":2}");
  CHECK(f.Bytes(stem + "history.json") == "{\"kind\":\"update\"}");
  CHECK(f.Keys(".pulumi/backups/shop/dev/dev.").size() == 1);
  REQUIRE(f.store.SaveTags(kDev, {{"team", "blue"}}).ok());
  CHECK(f.Bytes(".pulumi/stacks/shop/dev.pulumi-tags") == R"({"version":1,"tags":{"team":"blue"}})");
  REQUIRE(f.store.SaveTags(kDev, {}).ok());
  CHECK(f.Bytes(".pulumi/stacks/shop/dev.pulumi-tags") == "(none)");
  REQUIRE(f.store.Remove(kDev, /*remove_backups=*/false).ok());
  CHECK(f.Keys(".pulumi/stacks/") == std::vector<std::string>{".pulumi/stacks/shop/dev.json.bak"});
  CHECK(f.Keys(".pulumi/history/").empty());
  CHECK(f.Keys(".pulumi/backups/").size() == 1);
}

TEST_CASE("another compression leaves one variant, and the newest one is read", "[store][blob]") {
  Fixture f;
  REQUIRE(f.store.Save(kDev, "{\"v\":1}").ok());
  BlobStore packing(f.bucket, "", {Compression::kGzip});
  REQUIRE(packing.Save(kDev, "{\"v\":2}").ok());
  CHECK(f.Keys(".pulumi/stacks/") ==
        std::vector<std::string>{".pulumi/stacks/shop/dev.json.bak", ".pulumi/stacks/shop/dev.json.gz"});
  CHECK(f.bucket->ContentType(".pulumi/stacks/shop/dev.json.gz") == "application/x-gzip");
  CHECK(f.store.Load(kDev)->bytes == "{\"v\":2}");
  f.bucket->Advance(1000);
  f.PutObject(".pulumi/stacks/shop/dev.json", "{\"v\":3}");
  CHECK(f.store.Load(kDev)->bytes == "{\"v\":3}");
  BlobStore retaining(f.bucket, "", {.retain_checkpoints = true});
  REQUIRE(retaining.Save(kDev, "{\"v\":4}").ok());
  CHECK(f.Keys(".pulumi/stacks/shop/dev.json.1").size() == 1);
}

TEST_CASE("stacks are exactly two levels deep, and copies are none", "[store][blob]") {
  Fixture f;
  for (const char* key : {"shop/dev.json", "shop/dev.json.bak", "shop/dev.json.gz", "shop/dev.pulumi-tags",
                          "shop/dev.json.1700000000", "shop/deep/x.json", "my_app/a.json", "my-app/a.json.zst"}) {
    f.PutObject(std::string(".pulumi/stacks/") + key, "{}");
  }
  f.PutObject(".pulumi/meta.yaml", "version: 1\n");
  f.PutObject(".pulumi/locks/organization/my_app/a/x.json", kForeignLock);
  std::vector<std::string> listed;
  for (const StackEntry& entry : *f.store.List()) listed.push_back(entry.stack.str() + (entry.locked ? " locked" : ""));
  CHECK(listed ==
        std::vector<std::string>{"organization/my-app/a", "organization/my_app/a locked", "organization/shop/dev"});
}

TEST_CASE("a bucket with stacks and no meta has the legacy layout", "[store][blob]") {
  Fixture f;
  f.PutObject(".pulumi/stacks/dev.json", "{\"v\":1}");
  const StackName legacy{"organization", "", "dev"};
  CHECK(f.store.Load(legacy)->bytes == "{\"v\":1}");
  CHECK(f.store.QualifiedName(legacy) == "dev");
  auto lock = f.store.Lock(legacy);
  REQUIRE(lock.ok());
  CHECK(f.Keys(".pulumi/locks/dev/").size() == 1);
  REQUIRE(f.store.Save(legacy, "{\"v\":2}").ok());
  CHECK(f.Bytes(".pulumi/stacks/dev.json.bak") == "{\"v\":1}");
  CHECK(f.Bytes(".pulumi/meta.yaml") == "(none)");
}

TEST_CASE("the journal of a project is not taken for that of a stack without a project", "[store][blob]") {
  const std::string runs = ".pulumi/journals/shop/";
  const HoldKeys places{"shop", runs + "head.json", runs, ".pulumi/locks/shop/"};
  CHECK(places.IsBatch(places.BatchKey("5a", 1)));
  CHECK(places.IsBatch(places.BatchKey("5a", 123456789)));
  for (const char* key : {"head.json", "dev/head.json", "dev/5a/00000001", "5a/", "5a"}) {
    CHECK_FALSE(places.IsBatch(runs + key));
  }
}

TEST_CASE("a lock is one that the reference reads, and its own keeps us out", "[store][blob]") {
  Fixture f;
  {
    auto lock = f.store.Lock(kDev);
    REQUIRE(lock.ok());
    const std::vector<std::string> locks = f.Keys(kLocks);
    REQUIRE(locks.size() == 1);
    CHECK(locks[0].size() == std::string(kLocks).size() + 36 + 5);
    CHECK(f.Bytes(locks[0]).starts_with("{\"pid\":"));
    REQUIRE((*lock)->Release().ok());
  }
  CHECK(f.Keys(kLocks).empty());
  CHECK(f.FreeHeadOnly());
  const std::string foreign = std::string(kLocks) + "5a.json";
  f.PutObject(foreign, kForeignLock);
  const Status locked = f.store.Lock(kDev).status();
  CHECK(locked.message() ==
        "the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock "
        "file with `kingpost cancel`.\n  mem://bucket/" +
            foreign + ": created by ann@elsewhere (pid 1) at 2026-11-22T10:00:00Z");
  CHECK(f.Keys(kLocks) == std::vector<std::string>{foreign});
  CHECK(f.FreeHeadOnly());
  CHECK(*f.store.BreakLocks(kDev) == 1);
  CHECK(f.store.Lock(kDev).ok());
}

TEST_CASE("a lock that appears between two looks is respected", "[store][blob]") {
  const auto bucket = std::make_shared<MemoryBucket>();
  const auto network = std::make_shared<FaultyBucket>(bucket);
  const auto put_foreign = [&] {
    (void)bucket->Put(std::string(kLocks) + "5a.json", kForeignLock, PutCondition::Always(), kPlainText);
  };
  // meta, its legacy stacks, meta again, the probe (3), head and locks (2), our lock, the last look.
  for (int call = 1; call <= 12; ++call) {
    BlobStore store(network, "", {});
    network->Break({BucketFaults::Kind::kDelayed, call, false, put_foreign});
    const auto lock = store.Lock(kDev);
    network->Break({});
    const std::vector<std::string> locks = KeysBelow(*bucket, kLocks, true);
    const bool there =
        std::any_of(locks.begin(), locks.end(), [](const auto& key) { return key.ends_with("/5a.json"); });
    INFO("call " << call);
    CHECK((there ? lock.status().code() == Code::kFailedPrecondition : lock.ok()));
    CHECK(*store.BreakLocks(kDev) == static_cast<int>(locks.size()));
  }
}

TEST_CASE("a checkpoint that changed under the lock is not saved over", "[store][blob]") {
  Fixture f;
  REQUIRE(f.store.Save(kDev, "{\"v\":1}").ok());
  auto lock = f.store.Lock(kDev);
  REQUIRE(f.store.Load(kDev).ok());
  f.PutObject(".pulumi/stacks/shop/dev.json", "{\"v\":\"theirs\"}");
  const Status saved = f.store.Save(kDev, "{\"v\":\"ours\"}");
  CHECK(saved.message().find("ignored the lock") != std::string::npos);
  CHECK(f.Bytes(".pulumi/stacks/shop/dev.json") == "{\"v\":\"theirs\"}");
}

TEST_CASE("listing and locking need few requests", "[store][blob]") {
  Fixture f;
  for (int n = 0; n < 50; ++n) {
    REQUIRE(f.store.Save({"organization", "shop", "s" + std::to_string(n)}, "{}").ok());
  }
  int64_t before = f.bucket->calls();
  CHECK(f.store.List()->size() == 50);
  CHECK(f.bucket->calls() - before == 2);
  before = f.bucket->calls();
  std::vector<StackName> stacks;
  for (int n = 0; n < 51; ++n) stacks.push_back({"organization", "shop", "s" + std::to_string(n)});
  const auto loaded = f.store.LoadMany(stacks);
  CHECK(f.bucket->calls() - before == 51);
  CHECK((*loaded)[49].exists);
  CHECK_FALSE((*loaded)[50].exists);
  (void)f.store.Lock(kDev);  // asks once whether conditions are minded
  before = f.bucket->calls();
  auto lock = f.store.Lock(kDev);
  CHECK(f.bucket->calls() - before == 5);  // the head, twice, the lock, who else has one, and the head again
  before = f.bucket->calls();
  REQUIRE((*lock)->Release().ok());
  CHECK(f.bucket->calls() - before == 2);
}

}  // namespace kingpost::blob_store_test
