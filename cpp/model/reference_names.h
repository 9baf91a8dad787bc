// SPDX-License-Identifier: Apache-2.0
// Parts of a reference that receivers get beside its URN, and that are not recorded: the name and the type in the URN.
#pragma once

#include "model/value.h"

namespace kingpost {

// For a reference that does not say so itself. Without it a provider that compares what was recorded with what the
// program sends would see a difference.
inline void NameByUrn(ResourceReference* reference) {
  if (!reference->urn.valid()) return;
  if (reference->name.empty()) reference->name = std::string(reference->urn.name());
  if (reference->type.empty()) reference->type = std::string(reference->urn.type());
}

}  // namespace kingpost
