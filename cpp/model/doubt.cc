// SPDX-License-Identifier: Apache-2.0
#include "model/doubt.h"

#include <set>

namespace kingpost {

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

}  // namespace kingpost
