// SPDX-License-Identifier: Apache-2.0
#include "decisions/pending_operations.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/command_name.h"
#include "kingpost/create_outcome.h"

namespace kingpost::decisions {

namespace {

// A later run has seen it, or has made it again where a name says which one it is.
bool IsRecorded(const State& created, const std::string& id, const std::vector<StatePtr>& resources) {
  return std::any_of(resources.begin(), resources.end(), [&](const StatePtr& recorded) {
    return recorded->urn == created.urn && recorded->id == id && !recorded->pending_delete &&
           !recorded->pending_replacement;
  });
}

// The created resource takes the place of the one with its URN, as it would have if the create had been seen to end.
void Adopt(const State& created, const std::string& id, std::vector<StatePtr>* resources) {
  std::vector<StatePtr> kept;
  for (const StatePtr& recorded : *resources) {
    if (recorded->urn != created.urn || recorded->pending_delete) {
      kept.push_back(recorded);
    } else if (!recorded->pending_replacement) {
      auto old_side = std::make_shared<State>(*recorded);
      old_side->pending_delete = true;
      kept.push_back(old_side);
    }
  }
  auto adopted = std::make_shared<State>(created);
  adopted->id = id;
  // The answer was never seen. Providers get the known values as the state, as for a resource that is read.
  adopted->outputs = created.inputs;
  kept.push_back(adopted);
  *resources = std::move(kept);
}

}  // namespace

std::string InterruptedText(const std::vector<PendingOperation>& pending) {
  if (pending.empty()) return "";
  std::string text = "Attempting to deploy or update resources with " + std::to_string(pending.size()) +
                     " pending operations from previous deployment.\n";
  for (const PendingOperation& operation : pending) {
    text += "  * " + operation.resource->urn.str() + ", interrupted while " + OperationTypeName(operation.type) + "\n";
  }
  return text +
         "It is not known whether these operations took place: the run was interrupted while it waited for them. " +
         QuotedCommand("refresh") +
         " reads the resources of updates and deletes, and clears these operations. A create has no ID by which it "
         "could be read: look up in the provider whether the resource is there. If it is, adopt it with " +
         QuotedCommand(kAdoptCreate) + "; if none is, run " + QuotedCommand(kClearCreates) + ".";
}

Result<std::shared_ptr<const Snapshot>> ResolvePendingCreates(const Snapshot& base, const OperationOptions& options,
                                                              std::vector<Urn>* unknown) {
  std::map<Urn, std::string> left = options.import_pending_creates;
  auto resolved = std::make_shared<Snapshot>(base);
  resolved->pending_operations.clear();
  for (const PendingOperation& pending : base.pending_operations) {
    const Urn& urn = pending.resource->urn;
    const bool is_create = pending.type == OperationType::kCreating;
    const auto id = left.find(urn);
    if (is_create && id != left.end()) {
      if (!IsRecorded(*pending.resource, id->second, resolved->resources)) {
        Adopt(*pending.resource, id->second, &resolved->resources);
      }
      left.erase(id);
    } else if (!is_create || !(options.clear_pending_creates || options.cleared_pending_creates.contains(urn))) {
      resolved->pending_operations.push_back(pending);
    }
  }
  for (const auto& [urn, id] : left) unknown->push_back(urn);
  if (resolved->pending_operations.size() == base.pending_operations.size()) return std::shared_ptr<const Snapshot>();
  // The dependents of a replaced resource stand before the adopted one.
  Result<std::vector<StatePtr>> sorted = TopologicalSort(resolved->resources);
  if (!sorted.ok()) return sorted.status();
  resolved->resources = std::move(*sorted);
  return std::shared_ptr<const Snapshot>(resolved);
}

std::vector<size_t> DeletesInDoubt(const Snapshot& snapshot) {
  // By ID: its URN may have changed since, by an alias.
  std::set<std::pair<std::string, std::string>> begun;
  for (const PendingOperation& pending : snapshot.pending_operations) {
    if (pending.type == OperationType::kDeleting) begun.emplace(pending.resource->type, pending.resource->id);
  }
  std::vector<size_t> doubted;
  for (size_t i = 0; !begun.empty() && i < snapshot.resources.size(); ++i) {
    const State& state = *snapshot.resources[i];
    const bool exists_outside = state.custom && !state.is_provider() && !state.external && !state.is_view();
    if (!exists_outside || state.pending_delete || state.pending_replacement) continue;
    if (begun.count({state.type, state.id})) doubted.push_back(i);
  }
  return doubted;
}

bool IsStillInDoubt(const State& doubted) { return !doubted.pending_delete && !doubted.pending_replacement; }

bool IsKeptPending(const PendingOperation& recorded) { return recorded.type == OperationType::kCreating; }

}  // namespace kingpost::decisions
