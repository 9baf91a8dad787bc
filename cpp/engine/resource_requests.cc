// SPDX-License-Identifier: Apache-2.0
#include "engine/resource_requests.h"

#include "decisions/chain.h"
#include "decisions/failures.h"
#include "decisions/keep.h"
#include "decisions/read_rules.h"

namespace kingpost::engine {

namespace {

// The record stands in for a resource that was not read; without a record nothing is known of it.
ResourceAnswer AnswerOfSkippedRead(const StatePtr& skipped, const StatePtr& recorded) {
  return {decisions::LastKnown(skipped, recorded), RegisterOutcome::kSuccess, /*unknown=*/!recorded};
}

}  // namespace

ResourceRequests::ResourceRequests(const ResourceRequestParts& parts)
    : parts_(parts),
      identity_(parts.operation, parts.run, parts.report, parts.providers),
      choices_(parts.loop, parts.run.rows()),
      gate_(parts.operation, parts.run, parts.report, parts.constraint, parts.plan_builder),
      chains_(parts.loop, parts.operation, parts.run, choices_, parts.executor, parts.plan_builder),
      standstill_(parts.loop),
      registration_parts_{parts, identity_, choices_, gate_, chains_, standstill_} {}

Status ResourceRequests::Fail(const Urn& urn, const Status& status) {
  if (!stopped() || !failed_) parts_.report.Report(urn, status);
  failed_ = true;
  parts_.executor.Stop();
  return Status::Bail(status.message());
}

Task<Result<ResourceAnswer>> ResourceRequests::Register(std::shared_ptr<Goal> goal,
                                                        std::optional<Parameterization> extension,
                                                        std::vector<Callback> state_migrations) {
  KP_ASSERT(parts_.loop.OnLoopThread(), "resources are registered on the engine thread");
  const RequestBarrier::SharedAccess pass = co_await standstill_.Enter();
  if (stopped()) co_return Status::Bail("the run was stopped");
  Registration registration(registration_parts_, std::move(goal), std::move(extension), std::move(state_migrations));
  Result<ResourceAnswer> registered = co_await registration.Run();
  const Status status = registered.status();
  if (status.ok() || status.detail<RunStopped>()) co_return registered;
  co_return Fail(registration.urn(), status);
}

Task<Result<ResourceAnswer>> ResourceRequests::Read(ReadGoal goal) {
  const RequestBarrier::SharedAccess pass = co_await standstill_.Enter();
  if (stopped()) co_return Status::Bail("the run was stopped");
  parts_.run.rows().migrations().Follow(static_cast<DeclaredFields*>(&goal));
  const Result<Urn> claimed = identity_.Claim(goal, goal.name);
  if (!claimed.ok()) co_return Fail(parts_.run.MakeUrn(goal.parent, goal.type, goal.name), claimed.status());
  Result<ResourceAnswer> read = co_await ReadClaimed(*claimed, std::move(goal));
  const Status status = read.status();
  if (status.ok() || status.detail<RunStopped>()) co_return read;
  co_return Fail(*claimed, status);
}

Task<Result<ResourceAnswer>> ResourceRequests::ReadClaimed(Urn urn, ReadGoal goal) {
  decisions::Rows& rows = parts_.run.rows();
  KP_CO_TRY(decisions::CheckMayChange(urn, rows));
  if (goal.id.empty()) co_return Status(Code::kInvalidArgument, "Expected an ID for " + urn.str());
  const auto draft = std::make_shared<State>(decisions::DraftOfRead(goal, goal.id, urn));
  const OldResource old = identity_.FindOld(urn, goal.parent, goal.type, goal.name, {});
  if (old.clash) co_return Status::Bail();
  if (!old.alias.empty()) draft->aliases.push_back(old.alias);
  decisions::Selection& selection = parts_.run.selection();
  selection.Grow(*draft, selection.IsIncluded(*draft));
  const decisions::Decision decision = decisions::ChooseRead(old.state, draft->id);
  if (decisions::DependsOnFailed(*draft, rows)) {
    rows.Decide(urn, decisions::ReadOutcome(decision), decision.because);
    rows.Fail(urn);
    co_return AnswerOfSkippedRead(draft, old.state);
  }
  if (decisions::IsReadOfLeftOut(*draft, old.state, rows)) {
    rows.SkipCreate(urn);
    co_return AnswerOfSkippedRead(draft, old.state);
  }
  KP_CO_TRY(co_await parts_.providers.Ensure(draft->provider));
  if (decisions::IsDroppedAtEnd(decision, parts_.mode)) rows.DeleteAtEnd(draft);
  rows.Decide(urn, decisions::ReadOutcome(decision), decision.because);
  const Goal nothing_more;
  decisions::ChainParts parts{old.state, draft, nothing_more};
  decisions::Chain chain = decisions::ChainFor(decision, parts, rows);
  chain.front()->unknown_yet = decisions::IsUnknownYet(*draft, parts_.operation.options.preview, rows);
  ResourceAnswer registered;
  registered.state = draft;
  registered.unknown = chain.front()->unknown_yet;
  const bool answered = co_await chains_.Run(std::move(chain), &registered);
  if (!answered) co_return Status::Bail("the run was stopped").With(RunStopped{});
  if (registered.outcome == RegisterOutcome::kSkip) co_return AnswerOfSkippedRead(registered.state, old.state);
  co_return registered;
}

Task<Status> ResourceRequests::RegisterOutputs(Urn urn, PropertyMap outputs) {
  if (urn.qualified_type() == kRootStackType) {
    stack_outputs_ = std::move(outputs);
    stack_urn_ = std::move(urn);
    co_return Status();
  }
  // It was not touched: there is nothing to which its outputs belong.
  if (parts_.run.rows().HasFailed(urn)) co_return Status();
  const RequestBarrier::SharedAccess pass = co_await standstill_.Enter();
  const Status completed = co_await CompleteOutputs(urn, std::move(outputs), false, false);
  if (!completed.ok()) co_return Fail(urn, completed);
  co_return completed;
}

Task<Status> ResourceRequests::FinishStackOutputs(bool errored) {
  if (!stack_outputs_) co_return Status();
  co_return co_await CompleteOutputs(stack_urn_, *stack_outputs_, true, errored);
}

Task<Status> ResourceRequests::CompleteOutputs(Urn urn, PropertyMap outputs, bool final_stack_outputs, bool errored) {
  const decisions::StepPtr step = parts_.run.rows().TakeAwaiting(urn);
  if (!step) {
    if (final_stack_outputs) co_return Status();
    co_return Status(Code::kFailedPrecondition,
                     "cannot complete a resource '" + urn.str() + "' whose registration isn't pending");
  }
  if (step->is_skipped_create()) co_return Status();
  parts_.run.rows().migrations().Follow(&outputs);
  const StatePtr recorded = parts_.run.rows().Old(urn);
  const PropertyMap old_outputs = recorded ? recorded->outputs : PropertyMap();
  if (final_stack_outputs && errored) {
    // A run that failed says nothing of the outputs it did not reach, or could not know.
    PropertyMap merged = old_outputs;
    for (const auto& [key, value] : outputs) {
      if (!ContainsUnknowns(value)) merged.Set(key, value);
    }
    outputs = std::move(merged);
  }
  if (parts_.constraint) KP_CO_TRY(parts_.constraint->CheckOutputs(urn, old_outputs, outputs));
  if (parts_.plan_builder) parts_.plan_builder->SetRegisteredOutputs(urn, old_outputs, outputs);
  co_return co_await parts_.executor.RegisterOutputs(step, std::move(outputs));
}

}  // namespace kingpost::engine
