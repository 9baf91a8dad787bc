// SPDX-License-Identifier: Apache-2.0
// The limits of a preview (rows 5.4, 6.1, 6.5): it records nothing and makes nothing. Providers check, compare and
// read in earnest, and a refresh tells what it finds. Pure.
#pragma once

#include <optional>

#include "model/value.h"

namespace kingpost::decisions {

bool RecordsSteps(bool preview);
// Whether a run keeps in memory what it would record. A preview of an import does, for the code that is made of it.
bool IsRemembered(bool preview, bool is_import);

// Whether what policies, protection or targets forbid keeps a step from going on. A preview tells it, too.
bool BlocksForbiddenSteps(bool preview);

struct PreviewFacts {
  bool preview = false;
  bool is_configured = true;  // the provider's configuration holds no unknowns
  bool can_preview = false;   // the provider does, and nobody has turned it off
};
// The outputs of a create or an update without a call: the inputs stand for them, and with an unknown
// configuration all are unknown. nullopt: the provider is asked.
std::optional<PropertyMap> OutputsWithoutCall(const PreviewFacts& facts, const PropertyMap& inputs);

}  // namespace kingpost::decisions
