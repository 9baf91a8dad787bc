// SPDX-License-Identifier: Apache-2.0
// Replays entries on a base snapshot: what the state of the stack is after each of them (rows 7.9, 7.13 and 7.16).
//
// The engine keeps one in memory while it runs and saves what it materializes; recovery feeds one from the file. Apply
// costs O(1), Materialize O(resources). Pure: no clock, no I/O. One thread at a time.
//
//     base [A0 B1 C2]      success op 1: A', remove_old 0      success op 2: delete B, remove_old 1
//     materialized:        [A' B C]                            [A' C]
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "journal/entry.h"
#include "model/snapshot.h"

namespace kingpost {

class Replayer {
 public:
  explicit Replayer(std::shared_ptr<const Snapshot> base);

  // Fails if the entry names a resource or an operation that does not exist; the replayer is unchanged then.
  Status Apply(const JournalEntry& entry);

  // The resources of this run in the order in which they were recorded, then what is left of the base. References to
  // aliased URNs are rewritten. Dependencies come first: if entries came in an order that breaks this rule, the list is
  // sorted topologically. The manifest is the base's: the caller renews it, and verifies the snapshot's integrity.
  Snapshot Materialize() const;

  // The list that "old" indices count into. Changes with Write, RebuiltBaseState and StateMigration.
  const std::shared_ptr<const Snapshot>& base() const { return base_; }
  // Begun and not ended, oldest first; without what the base brought along.
  std::vector<PendingOperation> OpenOperations() const;

 private:
  struct Slot {
    StatePtr state;
    bool removed = false;
    bool in_doubt = false;  // an earlier run began to delete it, and nobody has asked its provider since
  };

  void SetBase(std::shared_ptr<const Snapshot> base);
  Status CheckReferences(const JournalEntry& entry) const;
  Slot* Find(int64_t old_index, int64_t new_operation);
  void ApplySuccess(const JournalEntry& entry);
  void AppendDoubts(std::vector<PendingOperation>* operations) const;
  void ApplyInPlace(const JournalEntry& entry);
  Status CheckMigration(const JournalEntry& entry) const;
  Status Migrate(const StateMigrationEntry& migration);
  bool pristine() const { return new_slots_.empty() && !base_touched_; }

  std::shared_ptr<const Snapshot> base_;
  std::vector<Slot> base_slots_;
  std::vector<Slot> new_slots_;
  std::unordered_map<int64_t, size_t> slot_of_operation_;  // into new_slots_
  std::map<int64_t, PendingOperation> open_operations_;    // by operation ID, which is the order they began in
  std::map<std::string, std::string> extensions_;
  std::optional<std::string> snippets_json_;
  std::optional<std::pair<std::string, std::string>> secrets_;  // type and state
  bool base_touched_ = false;
  bool has_refresh_ = false;
};

}  // namespace kingpost
