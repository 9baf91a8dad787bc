// SPDX-License-Identifier: Apache-2.0
#include "decisions/delete_call.h"

#include "decisions/go_along.h"

namespace kingpost::decisions {

DeleteCall DeleteCallFor(const Step& step, bool preview, const Rows& rows) {
  const State& recorded = *step.old_state;
  if (!NeedsProviderForDelete(step)) return DeleteCall::kAlreadyDeleted;
  if (preview) return DeleteCall::kPreviewed;
  if (!recorded.custom) return DeleteCall::kComponent;
  if (recorded.external) return DeleteCall::kOnlyRead;
  if (recorded.retain_on_delete) return DeleteCall::kRetained;
  if (IsDeletedWithAnother(recorded, rows)) return DeleteCall::kDeletedWithOther;
  return DeleteCall::kCalled;
}

bool NeedsProviderForDelete(const Step& step) {
  return step.op != StepOp::kRemovePendingReplace && !step.old_state->pending_replacement;
}

}  // namespace kingpost::decisions
