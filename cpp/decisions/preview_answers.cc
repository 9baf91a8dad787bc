// SPDX-License-Identifier: Apache-2.0
#include "decisions/preview_answers.h"

namespace kingpost::decisions {

std::optional<PropertyMap> OutputsWithoutAsking(const PreviewFacts& facts, const PropertyMap& inputs) {
  if (!facts.preview || (facts.is_configured && facts.can_preview)) return std::nullopt;
  return facts.is_configured ? inputs : PropertyMap();
}

}  // namespace kingpost::decisions
