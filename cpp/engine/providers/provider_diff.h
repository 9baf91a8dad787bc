// SPDX-License-Identifier: Apache-2.0
// Questions to a provider, with the engine's own answer where the provider has none (row 3.19).
#pragma once

#include "engine/providers/notices.h"
#include "kingpost/provider.h"

namespace kingpost::providers {

// Diff; an unknown answer is replaced by a comparison of the inputs.
Task<Result<DiffResponse>> DiffWithProvider(Provider& provider, DiffRequest request, Notices& notices);
// The same for an answer that is already there.
DiffResponse ResolveUnknownDiff(DiffResponse answer, const Urn& urn, const PropertyMap& old_inputs,
                                const PropertyMap& new_inputs, const std::vector<std::string>& ignore_changes,
                                Notices& notices);
// Goal inputs with ignored paths reset, and a diagnostic for paths that cannot be.
PropertyMap IgnoreChanges(const Urn& urn, const PropertyMap& new_inputs, const PropertyMap& old_inputs,
                          const std::vector<std::string>& paths, Notices& notices);

// The text of a failed Construct or Call, with a line for each of the inputs that it refused.
std::string RefusalText(const Status& failure, const PropertyMap& inputs, bool show_secrets);

}  // namespace kingpost::providers
