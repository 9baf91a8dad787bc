// SPDX-License-Identifier: Apache-2.0
// A store in a folder of its own, and entries for journals in it.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "journal/journal.h"
#include "journal/seal.h"
#include "kingpost/state_store.h"
#include "model/states.h"
#include "support/temp_folder.h"

namespace kingpost::testing {

inline const StackName kStack = {"organization", "project", "stack"};
inline const SealOptions kSeal = {"2026-01-02T03:04:05.000000006Z", "3.274.1", "kingpost up"};

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

inline JournalEntry Created(const std::string& name, int64_t operation) {
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = operation;
  entry.state = TestState(name);
  return entry;
}

inline JournalEntry BeginCreate(const std::string& name, int64_t operation) {
  JournalEntry entry;
  entry.operation_id = operation;
  entry.operation = OperationType::kCreating;
  entry.state = TestState(name);
  return entry;
}

}  // namespace kingpost::testing
