// SPDX-License-Identifier: Apache-2.0
// Chains of steps on behalf of registrations and reads. A chain waits for deletes that come first, and is skipped if it
// depends on a failure (row 5.11). States that are left out are written after those they refer to (row 3.33). Deletes
// that did not happen are taken back. Engine thread.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "base/loop.h"
#include "engine/choice_queue.h"
#include "engine/executor.h"
#include "engine/run.h"
#include "update_plan/update_plan.h"

namespace kingpost::engine {

struct ResourceAnswer {
  StatePtr state;
  RegisterOutcome outcome = RegisterOutcome::kSuccess;
  bool unknown = false;  // it was left out or skipped: nothing more is known of it than what the state says
};

class Chains {
 public:
  // `plan_builder` may be null: no plan is made.
  Chains(Loop& loop, const Operation& operation, Run& run, ChoiceQueue& choices, Executor& executor,
         update_plan::PlanBuilder* plan_builder)
      : loop_(loop),
        operation_(operation),
        rows_(run.rows()),
        selection_(run.selection()),
        choices_(choices),
        executor_(executor),
        plan_builder_(plan_builder) {}

  // `after`: states that other chains delete early, which have to be gone first; if one stays, the chain is skipped.
  // False if there is no answer, because the run was stopped.
  Task<bool> Run(decisions::Chain chain, ResourceAnswer* registered, std::vector<StatePtr> after = {});
  // The deletes of a chain that has ended: tells those who wait for them, and takes back what did not happen.
  void SettleDeletes(const decisions::Chain& chain, size_t completed);

 private:
  Task<Executor::ChainResult> RunInOrder(decisions::Chain chain);

  Loop& loop_;
  const Operation& operation_;
  decisions::Rows& rows_;
  const decisions::Selection& selection_;
  ChoiceQueue& choices_;
  Executor& executor_;
  update_plan::PlanBuilder* plan_builder_;
  // Chains that have begun and not ended, in a run that may leave something out.
  std::unordered_map<Urn, std::shared_ptr<Event>> running_;
};

}  // namespace kingpost::engine
