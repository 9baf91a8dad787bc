// SPDX-License-Identifier: Apache-2.0
#include "decisions/go_along.h"

#include "decisions/dependency_refs.h"

namespace kingpost::decisions {

std::optional<LinkedReplacement> FindLinkedReplacement(const State& draft, const Rows& rows) {
  for (const Urn& other : draft.replace_with) {
    if (!rows.IsReplaced(other)) continue;
    return LinkedReplacement{"replaceWith", Because(Rule::kReplaceWith, {}, other, rows.WhyDecided(other))};
  }
  const Urn& with = draft.deleted_with;
  if (with.empty() || !rows.IsReplaced(with)) return std::nullopt;
  return LinkedReplacement{"deletedWith", Because(Rule::kDeletedWith, {}, with, rows.WhyDecided(with))};
}

std::optional<ForcedDelete> FindForcedDelete(const State& dependent, const std::unordered_set<Urn>& going) {
  const Urn provider = ProviderUrn(dependent);
  if (!provider.empty() && going.count(provider) > 0) return ForcedDelete{Rule::kProviderCondemned, provider};
  const Urn& with = dependent.deleted_with;
  if (!with.empty() && going.count(with) > 0) return ForcedDelete{Rule::kLinkedToReplaced, with};
  return std::nullopt;
}

bool IsDeletedWithAnother(const State& recorded, const Rows& rows) {
  return !recorded.deleted_with.empty() && rows.IsDeleted(recorded.deleted_with);
}

}  // namespace kingpost::decisions
