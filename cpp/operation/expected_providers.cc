// SPDX-License-Identifier: Apache-2.0
#include "operation/expected_providers.h"

#include <algorithm>
#include <variant>

#include "base/time_text.h"
#include "model/provider_inputs.h"

namespace kingpost {

ExpectedProviders ProvidersExpectedBy(const Snapshot& snapshot, const OperationOptions& options) {
  ExpectedProviders expected{{}, std::max(int64_t{0}, ParseIsoTime(snapshot.manifest.time)) / 1000};
  const bool only_a_part = !options.run_program && !(options.targets.empty() && options.excludes.empty());
  if (only_a_part || options.kind == OperationKind::kImport) return expected;
  for (const StatePtr& state : snapshot.resources) {
    if (!state->is_provider() || state->pending_delete) continue;
    auto parsed = ParseProviderInputs(std::string(ProviderPackage(state->type)), state->inputs);
    if (auto* plugin = std::get_if<ProviderPlugin>(&parsed)) expected.specs.push_back(std::move(plugin->spec));
  }
  return expected;
}

}  // namespace kingpost
