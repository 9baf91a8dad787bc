// SPDX-License-Identifier: Apache-2.0
// Exceptions to policies: violations that a person has reviewed and allows (row 9.10). Part of the analyzer's seam.
#pragma once

#include <string>
#include <vector>

#include "model/urn.h"

namespace kingpost {

struct PolicyException {
  // Violations of these policies by these resources; of the whole stack, under the stack's own URN. Names and URNs are
  // meant as they stand.
  struct Match {
    std::vector<std::string> policies;
    std::vector<Urn> targets;
  };
  std::string id, reason;
  std::vector<Match> matches;
};

// The note on an exception that allows a violation.
struct AppliedException {
  std::string id, reason;
};

}  // namespace kingpost
