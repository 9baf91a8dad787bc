// SPDX-License-Identifier: Apache-2.0
// What a failed Create leaves open. Part of the provider's seam (kingpost/provider.h).
#pragma once

#include "base/status.h"

namespace kingpost {

// The detail of a failed Create that may have taken place all the same: the plugin died while it was asked, the
// connection broke, or the answer names no ID or cannot be read. Only a provider's own error says that nothing was
// made.
struct MayHaveHappened {};

}  // namespace kingpost
