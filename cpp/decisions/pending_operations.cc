// SPDX-License-Identifier: Apache-2.0
#include "decisions/pending_operations.h"

#include <set>

#include "base/command_name.h"

namespace kingpost::decisions {

namespace {

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
         "It is not known whether these operations took place: the run was interrupted while it waited for them. Look "
         "up "
         "in each provider whether the resource is there.\n\nThen run " +
         QuotedCommand("refresh") +
         ": it reads what exists and clears "
         "the pending operations. Creates that did take place can be adopted with --import-pending-creates, and those "
         "that did not are cleared with --clear-pending-creates.";
}

Result<std::shared_ptr<const Snapshot>> ResolvePendingCreates(const Snapshot& base, bool clear,
                                                              const std::map<Urn, std::string>& ids,
                                                              std::vector<Urn>* unknown) {
  std::map<Urn, std::string> left = ids;
  auto resolved = std::make_shared<Snapshot>(base);
  resolved->pending_operations.clear();
  for (const PendingOperation& pending : base.pending_operations) {
    const auto id = left.find(pending.resource->urn);
    if (pending.type == OperationType::kCreating && id != left.end()) {
      Adopt(*pending.resource, id->second, &resolved->resources);
      left.erase(id);
    } else if (pending.type != OperationType::kCreating || !clear) {
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
