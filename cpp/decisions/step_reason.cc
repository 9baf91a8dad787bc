// SPDX-License-Identifier: Apache-2.0
#include "decisions/step_reason.h"

namespace kingpost::decisions {

ReasonPtr ReasonOf(const StepMetadata& step) {
  if (!step.because || step.because->rule != Rule::kRefreshed) return step.because;
  std::vector<std::string> found;
  if (step.detailed) {
    for (const auto& [path, diff] : *step.detailed) found.push_back(path);
  }
  if (found.empty()) found = step.diffs;
  return found.empty() ? step.because : Because(Rule::kRefreshed, std::move(found));
}

}  // namespace kingpost::decisions
