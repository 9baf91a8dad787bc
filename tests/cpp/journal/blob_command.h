// SPDX-License-Identifier: Apache-2.0
// One command on its machine that works on a stack in a bucket, which it reaches by a network of its own.
#pragma once

#include <catch2/catch.hpp>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "journal/bench.h"
#include "journal/finish.h"
#include "journal/recover.h"
#include "remote/blob/faulty_bucket.h"
#include "remote/blob/memory_bucket.h"
#include "store/blob_store.h"

namespace kingpost::testing {

inline std::string Encoded(const std::vector<std::string>& names) {
  std::vector<StatePtr> states;
  for (const std::string& name : names) states.push_back(TestState(name));
  return Bench::Encode(TestSnapshot(states));
}

struct Command {
  explicit Command(const std::shared_ptr<BlobBucket>& bucket)
      : network(std::make_shared<FaultyBucket>(bucket)),
        store(std::make_unique<BlobStore>(network, "", FileStoreOptions{})) {}

  Status Take() {
    auto taken = store->Lock(kStack);
    if (taken.ok()) lock = *std::move(taken);
    return taken.status();
  }
  Status Begin() {
    const auto base = store->Load(kStack);
    if (!base.ok()) return base.status();
    auto file = store->journals()->Create(kStack);
    if (!file.ok()) return file.status();
    auto made = Journal::CreateOn(*std::move(file), {kStack.str(), CheckpointHash(base->bytes), "update"}, {});
    if (!made.ok()) return made.status();
    journal = *std::move(made);
    journal->set_ownership_check([this] { return lock->CheckHeld(); });
    return Status::Ok();
  }
  Status Append(const std::string& name, int64_t operation) {
    auto synced = std::make_shared<std::promise<Status>>();
    journal->Append(Created(name, operation), [synced](Status status) { synced->set_value(std::move(status)); });
    return synced->get_future().get();
  }
  // Ends the command: it can no longer release or remove anything.
  void Die() { network->Break({BucketFaults::Kind::kRefused, 1, /*after=*/true}); }
  void Revive() { network->Break({}); }

  std::shared_ptr<FaultyBucket> network;
  std::unique_ptr<BlobStore> store;
  std::unique_ptr<StackLock> lock;
  std::unique_ptr<Journal> journal;
};

inline std::string Saved(Command& command) {
  const auto document = command.store->Load(kStack);
  const auto decoded = DecodeCheckpoint(document->bytes, {});
  REQUIRE(decoded.ok());
  std::string names;
  for (const auto& state : decoded->snapshot.resources) names += state->urn.name();
  return names;
}

inline std::shared_ptr<MemoryBucket> BucketWith(const std::vector<std::string>& names) {
  auto bucket = std::make_shared<MemoryBucket>();
  REQUIRE(Command(bucket).store->Save(kStack, Encoded(names)).ok());
  return bucket;
}

inline size_t ObjectsBelow(MemoryBucket& bucket, const std::string& prefix) {
  return bucket.List(prefix, false)->size();
}

}  // namespace kingpost::testing
