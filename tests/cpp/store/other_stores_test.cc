// SPDX-License-Identifier: Apache-2.0
// Checks that all stores keep one contract, and that FaultyStore fails when told and changes nothing.
#include <catch2/catch.hpp>

#include "kingpost/state_store.h"
#include "remote/blob/memory_bucket.h"
#include "store/blob_store.h"
#include "store/file_store.h"
#include "store/lock_record.h"
#include "support/store_contract.h"
#include "support/temp_folder.h"

namespace kingpost::other_stores_test {

const StackName kDev = store_contract::kDev;

TEST_CASE("every store keeps the contract of stores", "[store]") {
  SECTION("memory") { store_contract::CheckStoreContract(std::move(*NewMemoryStore())); }
  SECTION("files") {
    TempFolder folder;
    store_contract::CheckStoreContract(std::move(**FileStore::Open(folder.path(), "", {})));
  }
  SECTION("objects in a bucket") {
    store_contract::CheckStoreContract(BlobStore(std::make_shared<MemoryBucket>(), "mem://bucket", {}));
  }
  SECTION("compressed objects") {
    store_contract::CheckStoreContract(
        BlobStore(std::make_shared<MemoryBucket>(), "mem://bucket", {Compression::kZstd}));
  }
  SECTION("objects in a bucket that ignores conditions") {
    auto bucket = std::make_shared<MemoryBucket>("mem://" + NewLockId());
    bucket->IgnoreConditions();
    store_contract::CheckStoreContract(BlobStore(bucket, "", {}));
  }
  SECTION("a faulty store without faults") {
    store_contract::CheckStoreContract(std::move(*NewFaultyStore(NewMemoryStore(), {})));
  }
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
