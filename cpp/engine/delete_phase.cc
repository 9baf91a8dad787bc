// SPDX-License-Identifier: Apache-2.0
#include "engine/delete_phase.h"

#include "engine/dependents.h"

namespace kingpost::engine {

// Which deletes have ended, and which resources have to stay because something that depends on them is still there.
struct DeletePhase::Progress {
  Progress(Loop& loop, const plan::Deletes& chosen, plan::DeleteOrder made)
      : deletes(chosen), order(std::move(made)), stays(chosen.going.size()), begun(chosen.going.size()) {
    for (size_t i = 0; i < chosen.going.size(); ++i) ended.push_back(std::make_unique<Event>(loop));
  }

  const plan::Deletes& deletes;
  plan::DeleteOrder order;
  std::vector<std::unique_ptr<Event>> ended;
  std::vector<bool> stays, begun;
};

// With --target: what could not live on without a target goes, too.
Task<Status> DeletePhase::AllowWhatHasToGoAlong(plan::DeleteChoice* choice) {
  if (!run_.selection().targets().constrained()) co_return Status();
  const std::unordered_set<Urn> targets = choice->targeted();
  for (const Urn& target : targets) {
    for (const StatePtr& current : run_.rows().AllOld(target)) {
      plan::Condemning condemning(run_.rows(), current, nullptr);
      KP_CO_TRY(co_await AskProviders(&condemning, providers_, report_));
      for (const plan::Condemned& one : condemning.condemned()) choice->Allow(one.state->urn);
      for (const StatePtr& named : run_.rows().NamedBy(target)) choice->Allow(named->urn);
    }
  }
  co_return Status();
}

Task<Status> DeletePhase::EnsureProviders(const plan::Deletes& deletes) {
  for (const plan::DeleteStep& going : deletes.going) {
    if (going.step->op == StepOp::kRemovePendingReplace || going.step->old_is_gone()) continue;
    const StatePtr owner = going.step->old_state;
    const Status ensured = co_await providers_.EnsureFor(owner);
    if (!ensured.ok()) co_return ensured.Wrap("could not load provider for resource " + owner->urn.str());
  }
  co_return Status();
}

Status DeletePhase::Admit(const plan::Deletes& deletes) {
  plan::Chain all = deletes.kept;
  for (const plan::DeleteStep& going : deletes.going) all.push_back(going.step);
  KP_TRY(gate_.HoldToPlan(all));
  const auto complaints = plan::UntargetedDeletes(deletes, run_.rows(), run_.selection());
  for (const plan::UntargetedDelete& complaint : complaints) report_.Refuse(complaint.urn, complaint.text);
  const bool refused = !complaints.empty() && !operation_.options.preview;
  return refused ? Status::Bail("delete untargeted resource") : Status();
}

Task<void> DeletePhase::RunOne(int index, Progress* progress) {
  for (int dependent : progress->order.schedule().before[index]) {
    co_await *progress->ended[dependent];
    if (progress->stays[dependent] && progress->order.Needs(dependent, index)) progress->stays[index] = true;
  }
  if (!progress->stays[index]) {
    progress->begun[index] = true;
    plan::Chain chain = {progress->deletes.going[index].step};
    const Executor::ChainResult result = co_await executor_.Run(std::move(chain));
    progress->stays[index] = result.outcome != Executor::Outcome::kDone;
  }
  if (progress->stays[index] && progress->begun[index]) {
    for (int needed : progress->order.NeededBy(index)) {
      if (!progress->begun[needed]) progress->stays[needed] = true;
    }
  }
  progress->ended[index]->Set();
}

Task<void> DeletePhase::RunDeletes(Progress* progress) {
  if (operation_.options.continue_on_error) {  // else a failure leaves no deletes
    for (int needed : progress->order.NeededByOthers()) progress->stays[needed] = true;
  }
  if (operation_.options.parallel == 1) {  // as Pulumi orders them: it matters where one fails
    for (int i : plan::InWaves(progress->order.schedule())) co_await RunOne(i, progress);
    co_return;
  }
  Group group(loop_);
  for (size_t i = 0; i < progress->ended.size(); ++i) group.Spawn(RunOne(static_cast<int>(i), progress));
  co_await group.Wait();
}

Task<Status> DeletePhase::Run() {
  plan::Rows& rows = run_.rows();
  if (rows.base().empty() && rows.to_delete().empty()) co_return Status();
  const bool destroys = operation_.options.kind == OperationKind::kDestroy;
  plan::DeleteChoice choice(rows, run_.selection(), destroys, operation_.options.exclude_protected);
  KP_CO_TRY(co_await AllowWhatHasToGoAlong(&choice));
  const plan::Deletes deletes = choice.Choose();
  for (const plan::DeleteStep& going : deletes.going) rows.Delete(going.step->urn());
  KP_CO_TRY(co_await EnsureProviders(deletes));
  KP_CO_TRY(Admit(deletes));
  if (!deletes.kept.empty()) co_await executor_.Run(deletes.kept);
  Progress progress(loop_, deletes, plan::DeleteOrder(deletes.going, choice.graph(), rows));
  co_await RunDeletes(&progress);
  co_return Status();
}

}  // namespace kingpost::engine
