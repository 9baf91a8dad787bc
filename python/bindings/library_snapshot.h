// SPDX-License-Identifier: Apache-2.0
// A snapshot as Python holds it: the native one, shared and never changed. An edit makes another, which shares what it
// did not change. What is worked out from it (the graph, the index of URNs) is made when first needed and kept.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kingpost/secrets_manager.h"
#include "model/dependency_graph.h"
#include "model/deployment_json.h"
#include "model/snapshot.h"

namespace kingpost::python {

// Where a snapshot came from, and so how it is written again.
struct SnapshotOrigin {
  enum class Form { kCheckpoint, kExport, kDeployment };
  Form form = Form::kExport;
  std::string stack;                        // "organization/project/name" of a checkpoint, or ""
  std::string document_hash;                // of a checkpoint that was read, as journals name it, or ""
  std::shared_ptr<const Snapshot> loaded;   // what a document held that is no checkpoint, before edits
  bool edited = false;                      // the contents are no longer those of the document
  std::shared_ptr<SecretsManager> secrets;  // null: secrets are sealed
  std::shared_ptr<SecretCache> cache;
};

class LibrarySnapshot {
 public:
  LibrarySnapshot(std::shared_ptr<const Snapshot> snapshot, SnapshotOrigin origin)
      : snapshot_(std::move(snapshot)), origin_(std::move(origin)) {}

  const Snapshot& get() const { return *snapshot_; }
  const std::shared_ptr<const Snapshot>& shared() const { return snapshot_; }
  const SnapshotOrigin& origin() const { return origin_; }
  const std::vector<StatePtr>& resources() const { return snapshot_->resources; }

  // The live resource of a URN, else one that waits for its deletion; null if there is none.
  StatePtr Find(const std::string& urn) const;
  // Throws LibraryFailure if the snapshot is not in order.
  const DependencyGraph& graph() const;
  EncodeOptions encoding() const;
  // An edited one.
  std::shared_ptr<LibrarySnapshot> With(Snapshot snapshot) const;

 private:
  const std::shared_ptr<const Snapshot> snapshot_;
  const SnapshotOrigin origin_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::unique_ptr<const DependencyGraph> graph_;
  mutable std::unordered_map<std::string_view, StatePtr> by_urn_;  // views into the states
};
using LibrarySnapshotPtr = std::shared_ptr<LibrarySnapshot>;

// pybind11 knows states as State, and offers nothing that changes one.
inline std::shared_ptr<State> ForPython(const StatePtr& state) { return std::const_pointer_cast<State>(state); }
std::vector<std::shared_ptr<State>> ForPython(const std::vector<StatePtr>& states);

}  // namespace kingpost::python
