// SPDX-License-Identifier: Apache-2.0
#include "decisions/view_rules.h"

#include "base/encoding.h"
#include "kingpost/event.h"

namespace kingpost::decisions {

namespace {

State StateOfView(const Urn& owner, const State& published, Urn urn) {
  State state;
  state.urn = std::move(urn);
  state.type = published.type;
  state.inputs = published.inputs;
  state.outputs = published.outputs;
  state.parent = owner;
  state.view_of = owner;
  return state;
}

}  // namespace

Result<ViewOutcome> MakeViewStep(const ViewOwner& owner, const ViewStep& view, const Rows& rows,
                                 const std::function<Urn(const std::string& type, const std::string& name)>& make_urn) {
  const auto op = ParseStepOp(view.op);
  if (!op) return Status(Code::kInvalidArgument, "unknown operation " + Quote(view.op) + " of a view step");
  const auto urn_of = [&](const State& published) { return make_urn(published.type, published.urn.str()); };
  ViewOutcome outcome;
  outcome.step = std::make_shared<Step>();
  Step& step = *outcome.step;
  step.op = owner.refresh ? StepOp::kRefresh : *op;
  step.refresh_result = *op;
  if (owner.refresh && owner.in_program) step.refresh = RefreshKind::kInProgram;
  if (view.old_state) {
    const Urn urn = urn_of(*view.old_state);
    step.old_state = rows.Old(urn);
    if (!step.old_state || step.old_state->view_of != owner.urn) {
      return Status(Code::kInvalidArgument, "no view " + urn.str() + " of " + owner.urn.str() + " is recorded");
    }
  }
  if (view.new_state) {
    step.new_state = std::make_shared<State>(StateOfView(owner.urn, *view.new_state, urn_of(*view.new_state)));
  }
  if (!step.old_state && !step.new_state) {
    return Status(Code::kInvalidArgument, "a view step needs an old or a new state");
  }
  step.keys = view.keys;
  step.diffs = view.diffs;
  if (view.has_detailed) step.detailed = view.detailed;
  step.replacing = *op == StepOp::kCreateReplacement || *op == StepOp::kDeleteReplaced;
  if (!view.error.empty() || view.outcome != ViewStep::Outcome::kOk) {
    outcome.failure = Status(Code::kInternal, view.error.empty() ? "the view's operation failed" : view.error);
    outcome.partial = view.outcome == ViewStep::Outcome::kPartialFailure;
  }
  return outcome;
}

bool ReportsViewsBeforeEnd(const Step& of_owner) { return of_owner.deletes(); }

std::vector<StepPtr> AssumedViewDeletes(const Urn& owner, const Rows& rows) {
  std::vector<StepPtr> steps;
  for (const StatePtr& view : rows.OldViews(owner)) steps.push_back(Delete(view));
  return steps;
}

std::vector<StepPtr> SameStepsOfViews(const Urn& owner, const Rows& rows) {
  std::vector<StepPtr> steps;
  for (const StatePtr& view : rows.OldViews(owner)) steps.push_back(Same(view, std::make_shared<State>(*view)));
  return steps;
}

}  // namespace kingpost::decisions
