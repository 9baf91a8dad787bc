// SPDX-License-Identifier: Apache-2.0
#include "engine/step_gate.h"

#include <utility>

#include "decisions/keep.h"
#include "decisions/preview.h"

namespace kingpost::engine {

void StepGate::KeepForTarget(const Urn& urn) { decisions::CollectUnhandled(urn, run_.rows(), &seen_, &due_); }

void StepGate::InsertSames(decisions::Chain* chain) {
  decisions::Rows& rows = run_.rows();
  decisions::Chain sames;
  for (const StatePtr& recorded : std::exchange(due_, {})) {
    if (rows.HasStep(recorded->urn) || rows.IsOperatedOn(recorded->urn)) continue;
    const decisions::ReasonPtr because = decisions::Because(decisions::Rule::kNotTargeted);
    rows.Keep(recorded->urn, because);
    sames.push_back(decisions::UntargetedSame(recorded));
    sames.back()->because = because;
  }
  chain->insert(chain->begin(), sames.begin(), sames.end());
}

Status StepGate::CheckAgainstPlan(const decisions::Chain& chain, bool unregistered) {
  for (const decisions::StepPtr& step : chain) {
    // A plan knows a resource by its new name, and a step that deletes its old self by the old one.
    const Urn& urn = run_.rows().CurrentUrn(step->urn());
    if (constraint_) KP_TRY(constraint_->TakeOp(urn, step->op));
    // A resource without an entry may only stay.
    const bool needs_entry = unregistered || step->op != StepOp::kSame;
    if (!plan_builder_ || !(needs_entry || plan_builder_->Has(urn))) continue;
    plan_builder_->AddOp(urn, step->op);
    if (unregistered && step->op == StepOp::kSame) plan_builder_->SetOutputs(urn, step->new_state->outputs);
  }
  return Status();
}

Status StepGate::Admit(const decisions::Chain& chain) {
  KP_TRY(CheckAgainstPlan(chain, /*unregistered=*/false));
  for (const decisions::StepPtr& step : chain) {
    // A preview tells of all that is missing.
    while (const auto lacking = decisions::MissingDependencyOf(*step, run_.rows(), run_.selection())) {
      report_.Refuse(step->urn(), lacking->text);
      if (decisions::BlocksForbiddenSteps(operation_.options.preview)) return Status::Bail("untargeted create");
      run_.rows().ClearSkipped(lacking->missing);
    }
  }
  return Status();
}

}  // namespace kingpost::engine
