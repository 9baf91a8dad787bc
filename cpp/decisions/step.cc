// SPDX-License-Identifier: Apache-2.0
#include "decisions/step.h"

#include <algorithm>
#include <utility>

namespace kingpost::decisions {

namespace {

StepPtr Make(StepOp op, StatePtr old_state, Draft new_state) {
  auto step = std::make_shared<Step>();
  step->op = op;
  step->old_state = std::move(old_state);
  step->new_state = std::move(new_state);
  return step;
}

}  // namespace

bool Step::logical() const {
  switch (op) {
    case StepOp::kRefresh:
    case StepOp::kRemovePendingReplace:
    case StepOp::kExtendParameterize:
    case StepOp::kDiff:
      return false;
    default:
      return !replacing;
  }
}

bool Step::internal() const {
  return op == StepOp::kRemovePendingReplace || op == StepOp::kExtendParameterize || is_announced_refresh() ||
         (IsProviderType(type()) && IsDefaultProviderUrn(urn()));
}

bool NeedsSlot(const Chain& chain) {
  return !std::all_of(chain.begin(), chain.end(), [](const StepPtr& step) {
    return step->is_announced_refresh() || (step->op == StepOp::kSame && !IsProviderType(step->type()));
  });
}

int SlotCount(int parallel) { return std::max(1, parallel); }

bool IsChange(StepOp op) {
  return op != StepOp::kSame && op != StepOp::kRead && op != StepOp::kReadReplacement && op != StepOp::kDiscard;
}

void CarryOver(Step* same) {
  same->new_state->id = same->old_state->id;
  // A step that is left out has its outputs already, and some may have been sealed.
  if (same->same != SameKind::kLeftOut) same->new_state->outputs = same->old_state->outputs;
}

bool ConfiguresProvider(const Step& same) { return same.new_state->is_provider() && same.same == SameKind::kPlain; }

StepPtr Same(StatePtr old_state, Draft new_state) {
  return Make(StepOp::kSame, std::move(old_state), std::move(new_state));
}

StepPtr UntargetedSame(StatePtr old_state) {
  auto copy = std::make_shared<State>(*old_state);
  copy->id.clear();
  auto step = Make(StepOp::kSame, std::move(old_state), std::move(copy));
  step->same = SameKind::kLeftOut;
  return step;
}

StepPtr SkippedCreate(Draft new_state) {
  StatePtr old_state = std::make_shared<const State>(*new_state);
  auto step = Make(StepOp::kSame, std::move(old_state), std::move(new_state));
  step->same = SameKind::kSkippedCreate;
  return step;
}

StepPtr Create(Draft new_state) { return Make(StepOp::kCreate, nullptr, std::move(new_state)); }

StepPtr CreateReplacement(StatePtr old_state, Draft new_state, AfterStep old_side) {
  auto step = Make(StepOp::kCreateReplacement, std::move(old_state), std::move(new_state));
  step->replacing = true;
  step->old_side = old_side;
  return step;
}

StepPtr Replace(StatePtr old_state, Draft new_state) {
  return Make(StepOp::kReplace, std::move(old_state), std::move(new_state));
}

StepPtr Update(StatePtr old_state, Draft new_state) {
  return Make(StepOp::kUpdate, std::move(old_state), std::move(new_state));
}

StepPtr Delete(StatePtr old_state) {
  const StepOp op = old_state->external ? StepOp::kDiscard : StepOp::kDelete;
  return Make(op, std::move(old_state), nullptr);
}

StepPtr DeleteReplaced(StatePtr old_state, AfterStep old_side) {
  const StepOp op = old_state->external ? StepOp::kDiscardReplaced : StepOp::kDeleteReplaced;
  auto step = Make(op, std::move(old_state), nullptr);
  step->replacing = true;
  step->old_side = old_side;
  return step;
}

StepPtr RemovePendingReplace(StatePtr old_state) {
  return Make(StepOp::kRemovePendingReplace, std::move(old_state), nullptr);
}

StepPtr Read(StatePtr old_state, Draft new_state) {
  return Make(StepOp::kRead, std::move(old_state), std::move(new_state));
}

StepPtr ReadReplacement(StatePtr old_state, Draft new_state, AfterStep old_side) {
  auto step = Make(StepOp::kReadReplacement, std::move(old_state), std::move(new_state));
  step->replacing = true;
  step->old_side = old_side;
  return step;
}

StepPtr Refresh(StatePtr old_state) {
  auto draft = std::make_shared<State>(*old_state);
  StepPtr step = Make(StepOp::kRefresh, std::move(old_state), std::move(draft));
  step->because = Because(Rule::kRefreshed);
  return step;
}

StepPtr Import(Draft new_state) { return Make(StepOp::kImport, nullptr, std::move(new_state)); }

StepPtr ImportReplacement(StatePtr original, Draft new_state, AfterStep old_side) {
  auto step = Make(StepOp::kImportReplacement, std::move(original), std::move(new_state));
  step->replacing = true;
  step->old_side = old_side;
  return step;
}

}  // namespace kingpost::decisions
