// SPDX-License-Identifier: Apache-2.0
#include "decisions/provider_change.h"

namespace kingpost::decisions {

Result<ProviderChange> CompareProviders(const State& recorded, const State& draft, const std::optional<bool>& answered,
                                        const Rows& rows) {
  ProviderChange change;
  if (recorded.provider == draft.provider) return change;
  if (recorded.provider.empty() || draft.provider.empty()) {
    change.replaces = true;
    return change;
  }
  if (answered) {
    change.replaces = *answered;
    return change;
  }
  auto old_ref = ProviderReference::Parse(recorded.provider);
  auto new_ref = ProviderReference::Parse(draft.provider);
  if (!old_ref.ok()) return old_ref.status();
  if (!new_ref.ok()) return new_ref.status();
  const bool renamed = rows.IsRenamed(old_ref->urn) && rows.CurrentUrn(old_ref->urn) == new_ref->urn;
  if (!renamed) change.question = AskProvider{*old_ref, *new_ref};
  return change;
}

std::optional<ProvidersToCompare> FindProvidersToCompare(const AskProvider& question, const Rows& rows) {
  const StatePtr recorded = rows.OldProvider(question.recorded);
  const Row* row = rows.Find(question.wanted.urn);
  const StatePtr wanted = row && row->is_claimed() ? row->now() : nullptr;
  if (!recorded || !wanted) return std::nullopt;
  return ProvidersToCompare{recorded, wanted};
}

}  // namespace kingpost::decisions
