// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/planned_stack.h"

#include <utility>

#include "decisions/elision.h"
#include "decisions/pending_operations.h"

namespace kingpost::fleet {

namespace {

bool RecordsTheSame(const State& before, const State& after) {
  return decisions::SameNeedsNoWrite(before, after) && decisions::SameDescription(before, after);
}

// True if the step changes the record. A read is recorded each time, and counts only if its result differs.
bool IsChange(const StepMetadata& step) {
  switch (step.op) {
    case StepOp::kSame:
    case StepOp::kRead:
    case StepOp::kRefresh:
      return !step.old_state || !step.new_state || !RecordsTheSame(*step.old_state, *step.new_state);
    default:
      return true;
  }
}

bool LeavesNothing(StepOp op) { return op == StepOp::kDelete || op == StepOp::kDiscard; }

bool IsOfTheFormer(StepOp op) {
  return op == StepOp::kDeleteReplaced || op == StepOp::kDiscardReplaced || op == StepOp::kRemovePendingReplace ||
         op == StepOp::kReplace;
}

}  // namespace

PlannedStack::PlannedStack(std::shared_ptr<const Snapshot> base) : base_(std::move(base)) {
  for (const StatePtr& state : base_->resources) {
    if (state->pending_delete) {
      changes_ = true;  // it would be deleted at last
    } else {
      Keep(state);
    }
  }
  for (const PendingOperation& pending : base_->pending_operations) {
    changes_ = changes_ || !decisions::IsKeptPending(pending);
  }
}

void PlannedStack::Keep(const StatePtr& state) {
  const auto [found, is_new] = place_of_.emplace(state->urn, resources_.size());
  if (is_new) {
    resources_.push_back(state);
  } else {
    resources_[found->second] = state;
  }
}

void PlannedStack::Emit(const EngineEvent& event) {
  const auto* ended = std::get_if<ResourceOutputsEvent>(&event);
  if (!ended) return;
  const StepMetadata& step = ended->metadata;
  changes_ = changes_ || IsChange(step);
  if (step.type == kRootStackType && step.old_state && step.new_state) {
    outputs_change_ = !DeepEqual(step.old_state->outputs, step.new_state->outputs);
  }
  if (IsOfTheFormer(step.op)) return;
  if (!LeavesNothing(step.op)) {
    if (step.new_state) Keep(step.new_state);
    return;
  }
  if (const auto found = place_of_.find(step.urn); found != place_of_.end()) resources_[found->second] = nullptr;
}

std::shared_ptr<const Snapshot> PlannedStack::Planned() const {
  auto planned = std::make_shared<Snapshot>();
  for (const StatePtr& state : resources_) {
    if (state) planned->resources.push_back(state);
  }
  return planned;
}

}  // namespace kingpost::fleet
