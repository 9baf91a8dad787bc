// SPDX-License-Identifier: Apache-2.0
#include "decisions/remaking.h"

namespace kingpost::decisions {

bool AwaitsRemaking(const StatePtr& recorded, const Rows& rows) {
  return recorded && rows.WaitsForReplacement(recorded);
}

StepPtr DeleteOrDrop(const StatePtr& recorded, bool awaits_remaking) {
  return awaits_remaking ? RemovePendingReplace(recorded) : Delete(recorded);
}

bool CanBeAskedAbout(const StatePtr& recorded, const Rows& rows) { return !AwaitsRemaking(recorded, rows); }

}  // namespace kingpost::decisions
