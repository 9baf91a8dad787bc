// SPDX-License-Identifier: Apache-2.0
#include "decisions/preview.h"

namespace kingpost::decisions {

bool RecordsSteps(bool preview) { return !preview; }

bool IsRemembered(bool preview, bool is_import) { return RecordsSteps(preview) || is_import; }

bool BlocksForbiddenSteps(bool preview) { return !preview; }

std::optional<PropertyMap> OutputsWithoutCall(const PreviewFacts& facts, const PropertyMap& inputs) {
  if (!facts.preview || (facts.is_configured && facts.can_preview)) return std::nullopt;
  return facts.is_configured ? inputs : PropertyMap();
}

}  // namespace kingpost::decisions
