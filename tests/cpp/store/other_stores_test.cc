// SPDX-License-Identifier: Apache-2.0
// MemoryStore behaves as FileStore does; FaultyStore fails when told and changes nothing.
#include <catch2/catch.hpp>

#include "kingpost/state_store.h"
#include "store/file_store.h"
#include "support/temp_folder.h"

namespace kingpost::other_stores_test {

const StackName kDev{"organization", "shop", "dev"};
const StackName kProd{"organization", "shop", "prod"};

// What every store promises.
void CheckContract(StateStore& store) {
  CHECK_FALSE(store.Load(kDev)->exists);
  CHECK_FALSE(*store.Exists(kDev));
  REQUIRE(store.Save(kDev, "{\"a\":1}").ok());
  CHECK_FALSE(store.Save({"organization", "shop", ".."}, "{}").ok());
  CHECK(store.Load(kDev)->bytes == "{\"a\":1}");
  CHECK_FALSE(store.Load(kDev)->location.empty());
  CHECK(store.List()->size() == 1);
  for (int n = 0; n < 3; ++n) REQUIRE(store.AppendHistory(kDev, std::to_string(n)).ok());
  CHECK(*store.ReadHistory(kDev, 2, 1) == std::vector<std::string>{"2", "1"});
  CHECK(*store.ReadHistory(kDev, 2, 2) == std::vector<std::string>{"0"});
  CHECK(store.ReadHistory(kDev, 2, 9)->empty());
  REQUIRE(store.SaveTags(kDev, {{"k", "v"}}).ok());
  REQUIRE(store.Backup(kDev).ok());
  CHECK(store.LoadReasons(kDev, ReasonsOf::kOperation)->empty());
  REQUIRE(store.SaveReasons(kDev, ReasonsOf::kOperation, "{}").ok());
  REQUIRE(store.SaveReasons(kDev, ReasonsOf::kOperation, "{\"why\":1}").ok());
  REQUIRE(store.SaveReasons(kDev, ReasonsOf::kPreview, "{\"why\":2}").ok());

  auto lock = store.Lock(kDev);
  REQUIRE(lock.ok());
  CHECK((*lock)->StillHeld().ok());
  CHECK(store.Lock(kDev).status().message().find("the stack is currently locked by 1 lock(s)") == 0);
  CHECK(store.Locks(kDev)->size() == 1);
  CHECK(*store.BreakLocks(kDev) == 1);
  CHECK(*store.BreakLocks(kDev) == 0);
  CHECK((*lock)->StillHeld().code() == Code::kAborted);
  CHECK(store.Lock(kDev).ok());

  REQUIRE(store.Rename(kDev, kProd, "{\"b\":2}").ok());
  CHECK_FALSE(*store.Exists(kDev));
  CHECK(store.Load(kProd)->bytes == "{\"b\":2}");
  CHECK(store.LoadTags(kProd)->at("k") == "v");
  CHECK(store.ReadHistory(kProd, 0, 1)->size() == 3);
  CHECK(*store.LoadReasons(kProd, ReasonsOf::kOperation) == "{\"why\":1}");
  CHECK(*store.LoadReasons(kProd, ReasonsOf::kPreview) == "{\"why\":2}");
  CHECK(store.LoadReasons(kDev, ReasonsOf::kPreview)->empty());
  REQUIRE(store.Save(kDev, "{}").ok());
  CHECK(store.Rename(kDev, kProd, "{}").code() == Code::kAlreadyExists);
  REQUIRE(store.Remove(kProd, true).ok());
  CHECK_FALSE(*store.Exists(kProd));
  CHECK(store.ReadHistory(kProd, 0, 1)->empty());
  CHECK(store.LoadReasons(kProd, ReasonsOf::kOperation)->empty());
}

TEST_CASE("all stores keep the same promises", "[store]") {
  SECTION("memory") { CheckContract(*NewMemoryStore()); }
  SECTION("files") {
    TempFolder folder;
    CheckContract(**FileStore::Open(folder.path(), "", {}));
  }
  SECTION("a faulty store without faults") { CheckContract(*NewFaultyStore(NewMemoryStore(), {})); }
}

TEST_CASE("a full disk keeps the old state", "[store]") {
  TempFolder folder;
  std::shared_ptr<StateStore> inner = *FileStore::Open(folder.path(), "", {});
  int writes = 0;
  auto store = NewFaultyStore(inner, {.kind = StoreFaults::Kind::kNoSpace, .fail_at = 2, .fail_after = false}, &writes);
  REQUIRE(store->Save(kDev, "{\"a\":1}").ok());
  const Status full = store->Save(kDev, "{\"a\":2}");
  CHECK(full.code() == Code::kResourceExhausted);
  CHECK(full.message() == "organization/shop/dev: cannot write: No space left on device");
  CHECK(inner->Load(kDev)->bytes == "{\"a\":1}");
  CHECK(store->Save(kDev, "{\"a\":3}").ok());
  CHECK(inner->Load(kDev)->bytes == "{\"a\":3}");
  CHECK(writes == 3);
}

TEST_CASE("a disk that fails for good fails every later write", "[store]") {
  auto store =
      NewFaultyStore(NewMemoryStore(), {.kind = StoreFaults::Kind::kShortWrite, .fail_at = 2, .fail_after = true});
  REQUIRE(store->Save(kDev, "{}").ok());
  CHECK(store->Save(kDev, "1234").message().find("only 2 of 4 bytes") != std::string::npos);
  CHECK_FALSE(store->AppendHistory(kDev, "{}").ok());
  CHECK_FALSE(store->Lock(kDev).ok());
  CHECK(store->Load(kDev)->bytes == "{}");
}

}  // namespace kingpost::other_stores_test
