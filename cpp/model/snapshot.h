// SPDX-License-Identifier: Apache-2.0
// A stack's recorded resources in memory, in an order where dependencies come first (group 7).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost {

enum class OperationType { kCreating, kUpdating, kDeleting, kReading, kImporting };
const char* OperationTypeName(OperationType type);  // "creating", ...
std::optional<OperationType> ParseOperationType(std::string_view name);

struct PendingOperation {
  StatePtr resource;
  OperationType type = OperationType::kCreating;
};

struct Manifest {
  std::string time;   // RFC 3339 with nanoseconds
  std::string magic;  // hex SHA-256 of version
  std::string version;
  std::string plugins_json;  // kept as read; "" if absent
};

struct Snapshot {
  Manifest manifest;
  std::string secrets_type;        // "passphrase", ...; "" if none
  std::string secrets_state_json;  // its state, verbatim JSON
  std::vector<StatePtr> resources;
  std::vector<PendingOperation> pending_operations;
  std::string integrity_error_json;               // metadata.integrity_error, verbatim JSON, "" if none
  std::string snippets_json;                      // verbatim JSON array, "" if none
  std::map<std::string, std::string> extensions;  // ref -> verbatim JSON
  // Some secret, perhaps one that is still sealed, holds a string that is not UTF-8 (feature byteString).
  bool byte_strings = false;
};

// Every rule of row 7.11, in its order; the first violation as a sentence that names the resource.
Status VerifyIntegrity(const Snapshot& snapshot);

// Snapshot repair (row 7.21): providers, parents and dependencies first, otherwise the given order.
// Fails with the cycle's URNs.
Result<std::vector<StatePtr>> TopologicalSort(const std::vector<StatePtr>& resources);

// After resources have been removed: drops references to URNs that do not occur EARLIER in the list, and
// re-parents orphans to the nearest surviving ancestor, found through `removed` (row 6.4). Empty lists stay empty.
std::vector<StatePtr> DropDanglingReferences(const std::vector<StatePtr>& resources,
                                             const std::map<Urn, StatePtr>& removed);

// Properties that depend on nothing lose their entries. The reference writes a base so that it has refreshed, or in
// which it has renamed a resource.
std::vector<StatePtr> DropEmptyPropertyDependencies(std::vector<StatePtr> resources);

// The effect of Prune on one resource.
struct PruneResult {
  Urn old_urn, new_urn;  // differ if the missing parent was part of the name
  bool pending_delete = false;
  struct Removed {
    std::string kind;  // "parent", "dependency", "property-dependency", "deleted-with", "replace-with"
    std::string key;   // of a property dependency
    Urn urn;
  };
  std::vector<Removed> removed;
};

// Snapshot repair (row 7.21), on a sorted list: drops references to URNs that do not occur earlier. Who loses its
// parent gets a URN without it, and all that refer to it follow. A dangling provider stays: nothing can take its place.
std::vector<StatePtr> Prune(const std::vector<StatePtr>& resources, std::vector<PruneResult>* results);

// Rewrites every reference to an aliased URN (row 2.7), also in states this run did not touch.
// Also recomputes the URNs of descendants whose parent's type path changed.
// The aliases of every state are cleared. Unchanged states stay shared.
std::vector<StatePtr> NormalizeUrns(const std::vector<StatePtr>& resources);

// The resources as above, and the references of the snippets.
void NormalizeUrns(Snapshot* snapshot);

}  // namespace kingpost
