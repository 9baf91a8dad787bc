// SPDX-License-Identifier: Apache-2.0
// Stacks of a store without projects get theirs (row 6.14). Blocking.
#pragma once

#include <string>
#include <vector>

#include "journal/seal.h"
#include "store/layout_upgrade.h"

namespace kingpost {

struct LegacyStack {
  StackName name;
  std::string project;  // as its URNs say; "" if it has none
};

// Sorted by name.
Result<std::vector<LegacyStack>> FindLegacyStacks(LayoutUpgrade& upgrade);

// Holds the stack under both names, and takes in first what a crash left of it. `notes` gets what is to be told.
// Several at a time, of different stacks.
Status UpgradeStack(LayoutUpgrade& upgrade, const LegacyStack& stack, const SealOptions& seal,
                    std::vector<std::string>* notes);

}  // namespace kingpost
