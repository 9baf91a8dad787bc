// SPDX-License-Identifier: Apache-2.0
// The effect of another provider on a recorded resource (rows 2.16, 4.13). It replaces the resource if one of the two
// is none, or if the new provider cannot take over the old one's resources. A provider that only was renamed is the
// same. Pure.
#pragma once

#include <optional>

#include "decisions/rows.h"
#include "kingpost/provider.h"

namespace kingpost::decisions {

// A question that only the providers can answer.
struct AskProvider {
  ProviderReference recorded, wanted;
};

struct ProviderChange {
  bool replaces = false;
  std::optional<AskProvider> question;
};
// `answered`: the answer to an earlier question. Fails for references that cannot be read.
Result<ProviderChange> CompareProviders(const State& recorded, const State& draft, const std::optional<bool>& answered,
                                        const Rows& rows);

// The two whose configurations the new provider is asked to compare; nullopt where one of them is not there, so that
// the resource is replaced without a question.
struct ProvidersToCompare {
  StatePtr recorded, wanted;
};
std::optional<ProvidersToCompare> FindProvidersToCompare(const AskProvider& question, const Rows& rows);

}  // namespace kingpost::decisions
