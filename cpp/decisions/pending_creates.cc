// SPDX-License-Identifier: Apache-2.0
#include "decisions/pending_creates.h"

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
  // The answer was never seen. Providers are told what is known as the state, as they are of a resource that is read.
  adopted->outputs = created.inputs;
  kept.push_back(adopted);
  *resources = std::move(kept);
}

}  // namespace

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
  // What depends on a replaced resource stands before the adopted one.
  Result<std::vector<StatePtr>> sorted = TopologicalSort(resolved->resources);
  if (!sorted.ok()) return sorted.status();
  resolved->resources = std::move(*sorted);
  return std::shared_ptr<const Snapshot>(resolved);
}

}  // namespace kingpost::decisions
