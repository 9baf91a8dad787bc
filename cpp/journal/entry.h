// SPDX-License-Identifier: Apache-2.0
// The entries of a journal: the beginning and the end of every operation on a stack (row 7.15).
//
// An entry points at resources in two ways. "old" fields are indices into the base snapshot's list; "new" fields are
// the operation IDs of earlier entries of this journal that recorded a state. -1 and 0 mean: none.
// Entries are values; the states they share are immutable. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/json_fields.h"
#include "model/deployment_json.h"
#include "model/snapshot.h"

namespace kingpost {

// The numbers are those of the service's journal format.
enum class EntryKind {
  kBegin = 0,                  // an operation starts; with `operation` it is pending until it ends
  kSuccess = 1,                // it ended: `state` is appended, old and new ones are removed or marked
  kFailure = 2,                // it ended and changed nothing
  kRefreshSuccess = 3,         // a resource was read anew: replaced in place, or removed if there is no state
  kOutputs = 4,                // the outputs of a recorded state changed: replaced in place
  kWrite = 5,                  // a new base, before anything else
  kSecretsManager = 6,         // who encrypts from here on
  kRebuiltBaseState = 7,       // all up to here becomes the base
  kExtensionParameterize = 8,  // an extension of a provider's schema
  kSnippets = 9,               // the snippets, all of them
  kCommit = 100,               // ours: the replayed snapshot is about to be saved as the checkpoint `checkpoint_hash`
  kFence = 101,                // ours: the stack was lost to another operation after `proven` records; ends a kept file
  kStateMigration = 102,       // ours: states of the base are replaced by others, and what refers to them follows
};
const char* EntryKindName(EntryKind kind);  // "begin", "success", ...

// Only in a StateMigration (rows 11.12 to 11.14). Where the result stands is not said: decisions::PlaceResult says it.
struct StateMigrationEntry {
  // Recovery cannot look into secrets, so a state that refers to a predecessor in one of them comes whole.
  struct Rewritten {
    int64_t old_index = -1;
    int64_t operation = 0;
    StatePtr state;
  };
  std::vector<int64_t> replaces;  // indices into the base
  std::vector<StatePtr> result;   // what stands for them
  std::map<Urn, Urn> successors;  // of those whose names are gone
  std::vector<Rewritten> rewritten;
};

struct JournalEntry {
  EntryKind kind = EntryKind::kBegin;
  int64_t sequence = 0;  // given by the journal, from 1 without gaps
  int64_t operation_id = 0;
  std::optional<OperationType> operation;  // of a Begin that leaves a trace if it never ends
  StatePtr state;                          // of a Begin with an operation: the resource that is pending

  int64_t remove_old = -1;
  int64_t remove_new = 0;
  int64_t delete_old = -1;  // to be marked as waiting for its deletion
  int64_t delete_new = 0;
  int64_t pending_replacement_old = -1;  // to be marked as deleted and waiting for its replacement
  int64_t pending_replacement_new = 0;
  bool is_refresh = false;

  std::shared_ptr<const Snapshot> new_base;  // of a Write
  std::string secrets_type, secrets_state_json;
  std::string extension_ref, extension_json;
  std::string snippets_json;
  std::string checkpoint_hash;                           // of a Commit: lower-case hex SHA-256 of the document
  int64_t proven = 0;                                    // only in a Fence: the records that the new owner found
  std::shared_ptr<const StateMigrationEntry> migration;  // of a StateMigration
};

// One line of JSON in the shape of the service's journal entries; secrets leave encrypted.
Result<std::string> EncodeEntry(const JournalEntry& entry, const EncodeOptions& options);
// Without its operation a Begin is one that leaves no trace, and is read without decoding the resource.
Result<JournalEntry> DecodeEntry(std::string_view json, const DecodeOptions& options);
Result<JournalEntry> DecodeEntry(const JsonFields& fields, const DecodeOptions& options, bool with_operation);

}  // namespace kingpost
