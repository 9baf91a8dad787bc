// SPDX-License-Identifier: Apache-2.0
#include "decisions/remaking.h"

namespace kingpost::decisions {

bool IsPendingReplacement(const StatePtr& recorded, const Rows& rows) {
  return recorded && rows.WaitsForReplacement(recorded);
}

StepPtr DeleteOrDrop(const StatePtr& recorded, bool is_pending_replacement) {
  return is_pending_replacement ? RemovePendingReplace(recorded) : Delete(recorded);
}

bool CanBeAskedAbout(const StatePtr& recorded, const Rows& rows) { return !IsPendingReplacement(recorded, rows); }

}  // namespace kingpost::decisions
