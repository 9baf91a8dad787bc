// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of update plans, and the checks against a plan.
#include "fuzz/fuzz.h"
#include "update_plan/update_plan.h"

using namespace kingpost;

void Try(std::string_view input) {
  auto plan = update_plan::UpdatePlan::Parse(input, {});
  if (!plan.ok()) return;
  const Urn urn("urn:pulumi:dev::shop::pkg:m:R::a");
  (void)plan->Seed(urn);
  (void)plan->CheckGoal(urn, nullptr, {}, {}, {});
  (void)plan->CheckOutputs(urn, {}, {});
  (void)plan->TakeOp(urn, StepOp::kCreate);
  (void)plan->Leftovers({});
}
