// SPDX-License-Identifier: Apache-2.0
// Which of its inputs a Construct or Call refused.
#pragma once

#include <vector>

#include "kingpost/provider_values.h"

namespace kingpost {

// The detail of the status of such a call; the properties are paths.
struct RefusedInputs {
  std::vector<CheckFailure> errors;
};

}  // namespace kingpost
