// SPDX-License-Identifier: Apache-2.0
// Checks the upgrade of stacks without projects, in folders and in buckets. An interrupted upgrade goes on.
#include "operation/stack_upgrade.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "model/deployment_json.h"
#include "model/states.h"
#include "remote/blob/faulty_bucket.h"
#include "remote/blob/memory_bucket.h"
#include "store/blob_store.h"
#include "store/file_store.h"
#include "support/bucket_contract.h"
#include "support/temp_folder.h"

namespace kingpost::stack_upgrade_test {

namespace fs = std::filesystem;

const SealOptions kSeal = {"2026-01-02T03:04:05.000000006Z", "3.274.1", "kingpost"};
const std::string kForeignLock =
    R"({"pid":1,"username":"ann","hostname":"elsewhere","timestamp":"2026-11-22T10:00:00Z"})";

std::string CheckpointOf(const std::string& stack, const std::vector<StatePtr>& resources) {
  const auto bytes =
      EncodeCheckpoint({.stack = stack, .has_latest = true, .snapshot = testing::TestSnapshot(resources)}, {});
  REQUIRE(bytes.ok());
  return *bytes;
}

// The objects that an old tool left: a stack `src`, one with its project's name, and one that was never deployed. A
// newer tool has made a stack `other` of that project.
std::map<std::string, std::string> LegacyObjects() {
  std::map<std::string, std::string> objects;
  for (const std::string stack : {"src", "project"}) {
    const std::string record = "history/" + stack + "/" + stack + "-1700000000000000001.";
    objects["stacks/" + stack + ".json"] = CheckpointOf(stack, {testing::TestState("a")});
    objects["stacks/" + stack + ".json.bak"] = "{}";
    objects["stacks/" + stack + ".pulumi-tags"] = R"({"version":1,"tags":{"of":")" + stack + "\"}}";
    objects["backups/" + stack + "/" + stack + ".1700000000000000002.json"] = "{}";
    objects[record + "history.json"] = "{\"kind\":\"update\"}";
    objects[record + "checkpoint.json"] = CheckpointOf(stack, {});
  }
  objects["stacks/empty.json"] = CheckpointOf("empty", {});
  objects["stacks/project/other.json"] = CheckpointOf("organization/project/other", {});
  objects["history/project/other/other-1700000000000000003.history.json"] = "{}";
  objects["history/project/project-x/project-x-1700000000000000004.history.json"] = "{}";
  return objects;
}

// The keys of these objects after the upgrade.
std::set<std::string> UpgradedKeys() {
  std::set<std::string> keys = {"meta.yaml", "stacks/empty.json", "stacks/project/other.json",
                                "history/project/other/other-1700000000000000003.history.json",
                                "history/project/project-x/project-x-1700000000000000004.history.json"};
  for (const std::string stack : {"src", "project"}) {
    const std::string record = "history/project/" + stack + "/" + stack + "-1700000000000000001.";
    keys.insert({"stacks/" + stack + ".json.bak", "stacks/project/" + stack + ".json",
                 "stacks/project/" + stack + ".pulumi-tags", record + "history.json", record + "checkpoint.json",
                 "backups/" + stack + "/" + stack + ".1700000000000000002.json"});
  }
  return keys;
}

// Upgrades as the command does. Returns the messages about stacks that it could not upgrade.
std::vector<std::string> UpgradeAll(StateStore& store) {
  auto upgrade = LayoutUpgrade::Open(store);
  if (!upgrade.ok()) return {upgrade.status().message()};
  const auto stacks = FindLegacyStacks(**upgrade);
  if (!stacks.ok()) return {stacks.status().message()};
  if (const Status declared = (*upgrade)->DeclareProjects(); !declared.ok()) return {declared.message()};
  std::vector<std::string> troubles, notes;
  for (const LegacyStack& stack : *stacks) {
    if (stack.project.empty()) continue;
    const Status done = UpgradeStack(**upgrade, stack, kSeal, &notes);
    if (!done.ok()) troubles.push_back(stack.name.name + ": " + done.message());
  }
  return troubles;
}

std::shared_ptr<MemoryBucket> LegacyBucket() {
  auto bucket = std::make_shared<MemoryBucket>();
  for (const auto& [key, bytes] : LegacyObjects()) {
    REQUIRE(bucket->Put(".pulumi/" + key, bytes, PutCondition::Always(), kPlainText).ok());
  }
  return bucket;
}

std::set<std::string> KeysOf(BlobBucket& bucket) {
  std::set<std::string> keys;
  for (const std::string& key : KeysBelow(bucket, ".pulumi/", false)) {
    if (!key.starts_with(".pulumi/journals/.probe")) keys.insert(key.substr(sizeof ".pulumi/" - 1));
  }
  return keys;
}

void CheckUpgraded(StateStore& store) {
  const auto listed = store.List();
  REQUIRE(listed.ok());
  std::string names;
  for (const StackEntry& entry : *listed) names += entry.stack.str() + "; ";
  CHECK(names == "organization/project/other; organization/project/project; organization/project/src; ");
  for (const std::string name : {"src", "project"}) {
    const StackName stack{kDiyOrganization, "project", name};
    const auto decoded = DecodeCheckpoint(store.Load(stack)->bytes, {});
    REQUIRE(decoded.ok());
    CHECK(decoded->stack == stack.str());
    CHECK(testing::Names(decoded->snapshot.resources) == "a");
    CHECK(store.ReadHistory(stack, 0, 1)->size() == 1);
    CHECK(store.LoadTags(stack)->at("of") == name);
    const auto lock = store.Lock(stack);  // over the lock of a dead process
    REQUIRE(lock.status().message() == "");
    CHECK((*lock)->Release().ok());
  }
}

TEST_CASE("stacks without projects get theirs in a bucket", "[operation][blob]") {
  const auto bucket = LegacyBucket();
  BlobStore store(bucket, "", {});
  CHECK(UpgradeAll(store).empty());
  // Head objects of existing stacks stay, and are free.
  std::set<std::string> expected = UpgradedKeys();
  expected.insert({"journals/project/project/head.json", "journals/project/src/head.json"});
  CHECK(KeysOf(*bucket) == expected);
  BlobStore later(bucket, "", {});
  CheckUpgraded(later);
  CHECK(UpgradeAll(later).empty());  // nothing is left to do
  CHECK(KeysOf(*bucket) == expected);
}

TEST_CASE("stacks without projects get theirs in a folder", "[operation]") {
  TempFolder folder;
  for (const auto& [key, bytes] : LegacyObjects()) {
    Spit(folder / (".pulumi/" + key), bytes);
  }
  SECTION("at once") {}
  SECTION("after a command that was killed when it had written the document") {
    for (const std::string name : {"src", "project"}) {
      const std::string stack = "organization/project/" + name;
      Spit(folder / (".pulumi/stacks/project/" + name + ".json"), CheckpointOf(stack, {testing::TestState("a")}));
    }
  }
  CHECK(UpgradeAll(**FileStore::Open(folder.path(), "", {})).empty());
  std::set<std::string> keys;
  for (const auto& entry : fs::recursive_directory_iterator(folder / ".pulumi")) {
    const std::string key = entry.path().string().substr(folder.path().size() + sizeof ".pulumi/");
    if (entry.is_regular_file() && !key.ends_with(".attrs")) keys.insert(key);
  }
  CHECK(keys == UpgradedKeys());
  CheckUpgraded(**FileStore::Open(folder.path(), "", {}));
}

TEST_CASE("an upgrade may be broken off at any request", "[operation][blob]") {
  for (const auto kind : {BucketFaults::Kind::kRefused, BucketFaults::Kind::kLostAnswer}) {
    bool broken = true;
    for (int call = 1; broken; ++call) {
      const auto bucket = LegacyBucket();
      {
        const auto network = std::make_shared<FaultyBucket>(bucket);
        BlobStore dying(network, "", {});
        network->Break({kind, call, /*after=*/true, nullptr});
        (void)UpgradeAll(dying);
        broken = network->calls() >= call;
      }
      bucket->Advance(61'000);
      INFO("kind " << static_cast<int>(kind) << ", call " << call);
      BlobStore next(bucket, "", {});
      CHECK(UpgradeAll(next).empty());
      BlobStore later(bucket, "", {});
      CheckUpgraded(later);
      const std::set<std::string> keys = KeysOf(*bucket), expected = UpgradedKeys();
      for (const std::string& key : expected) CHECK(keys.count(key) == 1);
      for (const std::string& key : keys) {
        // The upgrade may leave records, tags and locks of a moved stack behind; no command reads them there.
        const bool record = key.starts_with("history/") || key.ends_with(".pulumi-tags");
        const bool stays =
            record ? LegacyObjects().count(key) == 1 : key.starts_with("locks/") || key.starts_with("journals/");
        INFO(key);
        CHECK((expected.count(key) == 1 || stays));
      }
    }
  }
}

TEST_CASE("a stack that is locked, or whose name is taken, stays without a project", "[operation][blob]") {
  const auto bucket = LegacyBucket();
  const auto put = [&](const std::string& key, const std::string& bytes) {
    REQUIRE(bucket->Put(".pulumi/" + key, bytes, PutCondition::Always(), kPlainText).ok());
  };
  put("stacks/project/project.json", CheckpointOf("organization/project/project", {testing::TestState("theirs")}));
  put("locks/src/5a.json", kForeignLock);
  BlobStore store(bucket, "", {});
  const std::vector<std::string> troubles = UpgradeAll(store);
  REQUIRE(troubles.size() == 2);
  CHECK(troubles[0] == "project: a stack named organization/project/project already exists");
  CHECK(troubles[1].starts_with("src: the stack is currently locked by 1 lock(s)"));
  CHECK(KeysOf(*bucket).count("stacks/src.json") == 1);
  CHECK(KeysOf(*bucket).count("stacks/project.json") == 1);
  REQUIRE(bucket->Delete(".pulumi/locks/src/5a.json").ok());
  put("locks/organization/project/src/5a.json", kForeignLock);
  BlobStore again(bucket, "", {});
  CHECK(UpgradeAll(again).back().starts_with("src: the stack is currently locked by 1 lock(s)"));
}

TEST_CASE("a store that is newer than this version is not upgraded", "[operation][blob]") {
  const auto bucket = LegacyBucket();
  REQUIRE(bucket->Put(".pulumi/meta.yaml", "version: 2\n", PutCondition::Always(), kPlainText).ok());
  BlobStore store(bucket, "", {});
  CHECK(UpgradeAll(store).front().find("state store unsupported") != std::string::npos);
  CHECK((*bucket->Get(".pulumi/meta.yaml"))->bytes == "version: 2\n");
  CHECK(*LayoutUpgrade::Open(*NewMemoryStore()) == nullptr);
}

}  // namespace kingpost::stack_upgrade_test
