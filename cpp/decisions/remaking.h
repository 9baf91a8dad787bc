// SPDX-License-Identifier: Apache-2.0
// Resources that were deleted to be made again, and have not been made since (row 4.4). It stays in the record with a
// mark; the next run makes it without deleting it again, and what nobody wants any more leaves the record without a
// call. It may name a provider that is gone, and is not refreshed. Pure.
#pragma once

#include "decisions/rows.h"

namespace kingpost::decisions {

// Whether it is gone and has to be made again, by this run's doing or an earlier one's. False for null.
bool IsPendingReplacement(const StatePtr& recorded, const Rows& rows);

// Takes it out of the record: by a delete, or by dropping the mark.
StepPtr DeleteOrDrop(const StatePtr& recorded, bool is_pending_replacement);

// Whether anything that is there could be asked about it, so that its provider has to be.
bool CanBeAskedAbout(const StatePtr& recorded, const Rows& rows);

}  // namespace kingpost::decisions
