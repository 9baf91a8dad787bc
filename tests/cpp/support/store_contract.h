// SPDX-License-Identifier: Apache-2.0
// The contract of every store of states, wherever it keeps them.
#pragma once

#include <catch2/catch.hpp>

#include "kingpost/state_store.h"

namespace kingpost::store_contract {

inline const StackName kDev{"organization", "shop", "dev"};
inline const StackName kProd{"organization", "shop", "prod"};

// Works on the stack as an operation does.
inline void CheckWorkWhileHeld(StateStore& store) {
  auto lock = store.Lock(kDev);
  REQUIRE(lock.ok());
  REQUIRE(store.Load(kDev)->bytes == "{}");
  for (const char* bytes : {"{\"n\":1}", "{\"n\":2}"}) {
    REQUIRE((*lock)->WhileHeld([&] { return store.Save(kDev, bytes); }).ok());
    CHECK(store.Load(kDev)->bytes == bytes);
  }
  REQUIRE(store.RecordOperation(kDev, "{\"kind\":\"update\"}").ok());
  CHECK(store.ReadHistory(kDev, 1, 1)->front() == "{\"kind\":\"update\"}");
  CHECK(store.List()->front().locked);
  CHECK_FALSE(store.List()->back().locked);
  REQUIRE((*lock)->Release().ok());
  CHECK(store.Locks(kDev)->empty());
  CHECK_FALSE(store.List()->front().locked);
}

// Checks the whole contract.
inline void CheckStoreContract(StateStore&& store) {
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
  CHECK(store.ReadHistory(kProd, 0, 1)->empty());
  REQUIRE(store.SaveTags(kDev, {{"k", "v"}}).ok());
  REQUIRE(store.Backup(kDev).ok());
  CHECK(store.LoadReasons(kDev, ReasonsKind::kOperation)->empty());
  REQUIRE(store.SaveReasons(kDev, ReasonsKind::kOperation, "{}").ok());
  REQUIRE(store.SaveReasons(kDev, ReasonsKind::kOperation, "{\"why\":1}").ok());
  REQUIRE(store.SaveReasons(kDev, ReasonsKind::kPreview, "{\"why\":2}").ok());

  auto lock = store.Lock(kDev);
  REQUIRE(lock.ok());
  CHECK((*lock)->CheckHeld().ok());
  CHECK(store.Lock(kDev).status().message().find("the stack is currently locked by 1 lock(s)") == 0);
  CHECK(store.Locks(kDev)->size() == 1);
  CHECK(*store.BreakLocks(kDev) == 1);
  CHECK(*store.BreakLocks(kDev) == 0);
  CHECK((*lock)->WhileHeld([] { return Status::Ok(); }).code() == Code::kAborted);
  CHECK((*lock)->CheckHeld().code() == Code::kAborted);
  CHECK(store.Lock(kDev).ok());

  REQUIRE(store.Rename(kDev, kProd, "{\"b\":2}").ok());
  CHECK_FALSE(*store.Exists(kDev));
  CHECK(store.Load(kProd)->bytes == "{\"b\":2}");
  CHECK(store.LoadTags(kProd)->at("k") == "v");
  CHECK(store.ReadHistory(kProd, 0, 1)->size() == 3);
  CHECK(*store.LoadReasons(kProd, ReasonsKind::kOperation) == "{\"why\":1}");
  CHECK(*store.LoadReasons(kProd, ReasonsKind::kPreview) == "{\"why\":2}");
  CHECK(store.LoadReasons(kDev, ReasonsKind::kPreview)->empty());
  REQUIRE(store.Save(kDev, "{}").ok());
  CHECK(store.Rename(kDev, kProd, "{}").code() == Code::kAlreadyExists);
  const auto many = store.LoadMany({kProd, {"organization", "shop", "none"}, kDev});
  REQUIRE(many.ok());
  CHECK(((*many)[0].bytes == "{\"b\":2}" && !(*many)[1].exists && (*many)[2].bytes == "{}"));
  CheckWorkWhileHeld(store);
  REQUIRE(store.Remove(kProd, true).ok());
  CHECK_FALSE(*store.Exists(kProd));
  CHECK(store.ReadHistory(kProd, 0, 1)->empty());
  CHECK(store.LoadReasons(kProd, ReasonsKind::kOperation)->empty());
}

}  // namespace kingpost::store_contract
