// SPDX-License-Identifier: Apache-2.0
#include "engine/delete_phase.h"

#include "decisions/delete_call.h"
#include "decisions/preview.h"
#include "engine/dependents.h"

namespace kingpost::engine {

// Which deletes have ended, and which resources have to stay because something that depends on them is still there.
struct DeletePhase::Progress {
  Progress(Loop& loop, const decisions::Deletes& chosen, decisions::DeleteOrder made)
      : deletes(chosen), order(std::move(made)), stays(chosen.going.size()), begun(chosen.going.size()) {
    for (size_t i = 0; i < chosen.going.size(); ++i) ended.push_back(std::make_unique<Event>(loop));
  }

  const decisions::Deletes& deletes;
  decisions::DeleteOrder order;
  std::vector<std::unique_ptr<Event>> ended;
  std::vector<bool> stays, begun;
};

// With --target: what could not live on without a target goes, too.
Task<Status> DeletePhase::AllowCondemnedDependents(decisions::DeleteChoice* choice) {
  const std::unordered_set<Urn> targets = choice->targeted();
  for (const Urn& target : targets) {
    for (const StatePtr& current : rows_.AllOld(target)) {
      decisions::Condemning condemning(rows_, current, nullptr);
      KP_CO_TRY(co_await AskProviders(&condemning, parts_.providers, parts_.report));
      for (const decisions::Condemned& one : condemning.condemned()) choice->Allow(one.state->urn);
      for (const StatePtr& named : rows_.NamedBy(target)) choice->Allow(named->urn);
    }
  }
  co_return Status();
}

Task<Status> DeletePhase::EnsureProviders(const decisions::Deletes& deletes) {
  for (const decisions::DeleteStep& going : deletes.going) {
    if (!decisions::NeedsProviderForDelete(*going.step)) continue;
    const StatePtr owner = going.step->old_state;
    const Status ensured = co_await parts_.providers.EnsureFor(owner);
    if (!ensured.ok()) co_return ensured.Wrap("could not load provider for resource " + owner->urn.str());
  }
  co_return Status();
}

Status DeletePhase::Admit(const decisions::Deletes& deletes) {
  decisions::Chain all = deletes.kept;
  for (const decisions::DeleteStep& going : deletes.going) all.push_back(going.step);
  KP_TRY(gate_.CheckAgainstPlan(all, /*unregistered=*/true));
  const auto complaints = decisions::UntargetedDeletes(deletes, rows_, parts_.run.selection());
  for (const decisions::UntargetedDelete& complaint : complaints) parts_.report.Refuse(complaint.urn, complaint.text);
  const bool refused = !complaints.empty() && decisions::BlocksForbiddenSteps(parts_.operation.options.preview);
  return refused ? Status::Bail("delete untargeted resource") : Status();
}

Task<void> DeletePhase::RunOne(int index, Progress* progress) {
  for (int dependent : progress->order.schedule().before[index]) {
    co_await *progress->ended[dependent];
    if (progress->stays[dependent] && progress->order.Needs(dependent, index)) progress->stays[index] = true;
  }
  if (!progress->stays[index]) {
    progress->begun[index] = true;
    decisions::Chain chain = {progress->deletes.going[index].step};
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
  if (parts_.operation.options.continue_on_error) {  // else a failure leaves no deletes
    for (int needed : progress->order.NeededByOthers()) progress->stays[needed] = true;
  }
  if (parts_.operation.options.parallel == 1) {  // as Pulumi orders them: it matters where one fails
    for (int i : decisions::InWaves(progress->order.schedule())) co_await RunOne(i, progress);
    co_return;
  }
  Group group(parts_.loop);
  for (size_t i = 0; i < progress->ended.size(); ++i) group.Spawn(RunOne(static_cast<int>(i), progress));
  co_await group.Wait();
}

Status DeletePhase::RefuseIncomplete(const std::string& missing, const decisions::Deletes& deletes) {
  if (missing.empty() || parts_.operation.options.kind == OperationKind::kDestroy) return Status();
  const std::string ended = "the program ended before it had registered " + missing;
  const std::string remedy = ". Does it end its own process, for example by exit(0)?";
  if (deletes.going.empty()) {
    parts_.report.Warning(Urn(), ended + ", so the resources that it did not register are missing" + remedy);
    return Status();
  }
  return Status(
      Code::kFailedPrecondition,
      ended + ", so the engine deletes nothing: it cannot tell which resources the program still declares" + remedy);
}

Task<Status> DeletePhase::Run(const std::string& missing) {
  if (rows_.base().empty() && rows_.to_delete().empty()) co_return RefuseIncomplete(missing, {});
  const bool destroys = parts_.operation.options.kind == OperationKind::kDestroy;
  decisions::DeleteChoice choice(rows_, parts_.run.selection(), destroys, parts_.operation.options.exclude_protected);
  KP_CO_TRY(co_await AllowCondemnedDependents(&choice));
  const decisions::Deletes deletes = choice.Choose();
  KP_CO_TRY(RefuseIncomplete(missing, deletes));
  for (const decisions::DeleteStep& going : deletes.going) rows_.Delete(going.step->urn());
  KP_CO_TRY(co_await EnsureProviders(deletes));
  KP_CO_TRY(Admit(deletes));
  if (!deletes.kept.empty()) co_await executor_.Run(deletes.kept);
  if (deletes.going.empty()) co_return Status();
  Progress progress(parts_.loop, deletes, decisions::DeleteOrder(deletes.going, choice.graph(), rows_));
  co_await RunDeletes(&progress);
  co_return Status();
}

}  // namespace kingpost::engine
