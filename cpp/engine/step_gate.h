// SPDX-License-Identifier: Apache-2.0
// The gate that chosen steps pass before they run. It puts sames of unhandled dependencies in front, holds steps to the
// update's plan, and refuses those that depend on a resource that was left out (rows 3.33, 3.34, 3.42). Engine thread.
#pragma once

#include <unordered_set>

#include "engine/reporter.h"
#include "engine/run.h"
#include "update_plan/update_plan.h"

namespace kingpost::engine {

class StepGate {
 public:
  StepGate(const Operation& operation, Run& run, Reporter& report, update_plan::UpdatePlan* constraint,
           update_plan::PlanBuilder* plan_builder)
      : operation_(operation), run_(run), report_(report), constraint_(constraint), plan_builder_(plan_builder) {}

  // A targeted resource refers to it: it is kept, with all below it, by the next chain.
  void KeepForTarget(const Urn& urn);
  // Puts the sames that are due in front.
  void InsertSames(decisions::Chain* chain);
  // Refuses steps that contradict the plan, or need a resource that was left out.
  Status Admit(const decisions::Chain& chain);
  // Holds steps to the plan alone. `unregistered`: of resources that the program did not register, which the new plan
  // names even if they stay.
  Status CheckAgainstPlan(const decisions::Chain& chain, bool unregistered);

 private:
  const Operation& operation_;
  Run& run_;
  Reporter& report_;
  update_plan::UpdatePlan* constraint_;     // null if the update is not constrained
  update_plan::PlanBuilder* plan_builder_;  // null if no plan is made
  std::vector<StatePtr> due_;
  std::unordered_set<Urn> seen_;
};

}  // namespace kingpost::engine
