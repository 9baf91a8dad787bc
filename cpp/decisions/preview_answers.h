// SPDX-License-Identifier: Apache-2.0
// What a preview takes for the answer of a provider that it does not ask (row 5.4). Pure.
#pragma once

#include <optional>

#include "model/value.h"

namespace kingpost::decisions {

struct PreviewFacts {
  bool preview = false;
  bool is_configured = true;  // the provider's configuration holds no unknowns
  bool can_preview = false;   // the provider does, and nobody has turned it off
};

// The outputs of a create or an update that is not asked for: the inputs stand for them, and with an unknown
// configuration nothing is known. nullopt: the provider is asked.
std::optional<PropertyMap> OutputsWithoutAsking(const PreviewFacts& facts, const PropertyMap& inputs);

}  // namespace kingpost::decisions
