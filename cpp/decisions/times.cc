// SPDX-License-Identifier: Apache-2.0
#include "decisions/times.h"

namespace kingpost::decisions {

namespace {

bool FoundSomethingNew(const State& old_state, const State& next) {
  return !DeepEqual(next.inputs, old_state.inputs) || !DeepEqual(next.outputs, old_state.outputs);
}

}  // namespace

void SetTimes(StepOp op, const StatePtr& old_state, const std::string& now, State* next) {
  switch (op) {
    case StepOp::kCreate:
    case StepOp::kCreateReplacement:
    case StepOp::kImport:
    case StepOp::kImportReplacement:
      next->created = next->modified = now;
      return;
    case StepOp::kUpdate:
      next->created = old_state->created;
      next->modified = next->custom ? now : old_state->modified;
      return;
    case StepOp::kRead:
    case StepOp::kReadReplacement:
    case StepOp::kRefresh:
      if (!old_state) return;
      next->created = old_state->created;
      next->modified = FoundSomethingNew(*old_state, *next) ? now : old_state->modified;
      return;
    default:
      return;
  }
}

}  // namespace kingpost::decisions
