// SPDX-License-Identifier: Apache-2.0
// Whether the delete of a resource is asked of its provider (rows 3.43, 4.9). Pure.
#pragma once

#include "decisions/rows.h"

namespace kingpost::decisions {

enum class DeleteCall {
  kCalled,          // of the provider
  kAlreadyDeleted,  // an earlier run has deleted it: not even its hooks run
  kPreviewed,
  kComponent,         // nothing exists outside of the record
  kOnlyRead,          // it is not the program's to delete
  kRetained,          // retainOnDelete: it leaves the record and stays in the world
  kDeletedWithOther,  // deletedWith: what it names is deleted in the same run
};

// `step` deletes its old state: what counts is what is recorded, not what the program says of it now. The first case
// that fits, in the order above but for kCalled, which is the last.
DeleteCall DeleteCallFor(const Step& step, bool preview, const Rows& rows);

// Whether the provider of what a step deletes has to be there, though it may not be asked.
bool NeedsProviderForDelete(const Step& step);

}  // namespace kingpost::decisions
