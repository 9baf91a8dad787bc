// SPDX-License-Identifier: Apache-2.0
#include "engine/executor.h"

#include "base/command_name.h"
#include "decisions/elision.h"
#include "decisions/failures.h"
#include "decisions/hook_rules.h"
#include "decisions/protection.h"
#include "decisions/secret_outputs.h"
#include "decisions/view_rules.h"
#include "engine/slot_wait_observer.h"
#include "kingpost/create_outcome.h"
#include "model/secret_texts.h"

namespace kingpost::engine {

namespace {

std::string UnknownOutcome() {
  return "the engine cannot tell whether the provider created this resource, and records a pending operation. Look "
         "whether it exists before the next update. If it does, adopt it with " +
         QuotedCommand(kAdoptCreate) + "; if not, clear it with " + QuotedCommand(kClearCreates) + ".";
}

}  // namespace

Executor::Executor(const RunParts& parts)
    : parts_(parts), slots_(parts.loop, decisions::SlotCount(parts.operation.options.parallel)) {}

void Executor::Stop() {
  if (stopped_) return;
  stopped_ = true;
  if (on_stop) on_stop();
}

void Executor::RecordPostStepError(const Urn& urn, const Status& error) {
  parts_.report.Error(urn, error.message());
  post_step_error_ = true;
}

void Executor::Failed(const Status& error) {
  if (decisions::IsAwaited(error)) {
    awaited_ = true;
    return;
  }
  if (!errored_) first_error_ = error;
  errored_ = true;
  const decisions::FailureOptions options = {parts_.operation.options.continue_on_error, ignore_errors_};
  const bool is_protected = error.detail<decisions::ProtectedResource>() != nullptr;
  if (decisions::StopsTheRun(is_protected, options)) Stop();
}

// Nothing may happen that could not be remembered.
void Executor::FailRecording(const Urn& urn, const Status& error) {
  parts_.report.Error(urn, error.message());
  Failed(error);
  Stop();
}

Task<Executor::ChainResult> Executor::Run(decisions::Chain chain) {
  ChainResult result;
  Semaphore::Permit slot(nullptr);
  if (decisions::NeedsSlot(chain)) {
    SlotWaitObserver::Tell(true);
    slot = co_await slots_.Acquire();
    SlotWaitObserver::Tell(false);
  }
  for (const decisions::StepPtr& step : chain) {
    if (stopped_) {
      result.outcome = Outcome::kStopped;
      co_return result;
    }
    result.outcome = co_await RunStep(step, &result.state);
    if (result.outcome != Outcome::kDone) co_return result;
    ++result.completed;
  }
  co_return result;
}

Task<Executor::Outcome> Executor::RunStep(decisions::StepPtr step, StatePtr* published) {
  parts_.report.StepBegan(*step);
  Result<int64_t> operation = co_await parts_.recording.Begin(step);
  if (!operation.ok()) {
    FailRecording(step->urn(), operation.status().Wrap("recording the beginning of the operation"));
    co_return Outcome::kFailed;
  }
  StepResult applied = co_await Apply(step);
  const bool done = co_await Finish(step, *operation, applied, published);
  if (done) co_return Outcome::kDone;
  co_return decisions::IsAwaited(applied.status) ? Outcome::kAwaits : Outcome::kFailed;
}

void Executor::ReportEnd(const decisions::Step& step, const StepResult& applied) {
  if (applied.status.ok()) return parts_.report.StepEnded(step);
  parts_.report.StepFailed(step, applied.status, applied.partial);
  if (decisions::MayHaveCreated(applied.status) && !is_preview()) parts_.report.Warning(step.urn(), UnknownOutcome());
}

Task<Status> Executor::RecordEnd(decisions::StepPtr step, int64_t operation, StepResult applied, StatePtr state) {
  if (step->op == StepOp::kRefresh && step->refresh == decisions::RefreshKind::kStandalone) {
    if (!applied.status.ok()) co_return Status();
    co_return co_await parts_.recording.Refreshed(step->old_state, state, operation);
  }
  if (decisions::MayHaveCreated(applied.status)) co_return Status();  // it stays begun, as after a crash
  co_return co_await parts_.recording.End(step, operation, state, applied.happened());
}

Task<bool> Executor::Finish(decisions::StepPtr step, int64_t operation, StepResult applied, StatePtr* published) {
  const bool terminated = parts_.operation.cancellation && parts_.operation.cancellation->terminated();
  if (step->op == StepOp::kRefresh && (terminated || !applied.status.ok())) {
    step->new_state = std::make_shared<State>(*step->old_state);  // what is not recorded has not been found
  }
  if (terminated) co_return false;
  if (applied.status.ok() && step->logical() && step->new_state) {
    parts_.run.rows().AwaitOutputs(step);
  }
  StatePtr state = Publish(step, applied.happened());
  // The program is answered with the resource it registered, not with a view that follows it in the chain.
  if (state && step->op != StepOp::kReplace && !state->is_view()) *published = state;

  const Urn owner = step->urn();
  if (decisions::ReportsViewsBeforeEnd(*step)) {
    const bool viewed = co_await RunViewSteps(owner);
    if (!viewed) co_return false;
  }
  ReportEnd(*step, applied);
  if (applied.partial && step->op == StepOp::kUpdate) {
    state = std::make_shared<State>(decisions::PartialUpdateState(*state, *step->old_state));
    parts_.run.rows().Publish(state, false);
    *published = state;
  }
  const Status recorded = co_await RecordEnd(step, operation, applied, state);
  if (!recorded.ok()) {
    FailRecording(owner, recorded.Wrap("recording the end of the operation"));
    co_return false;
  }
  if (!decisions::ReportsViewsBeforeEnd(*step)) {
    const bool viewed = co_await RunViewSteps(owner);
    if (!viewed) co_return false;
  }
  if (!applied.status.ok()) {
    Failed(applied.status);
    co_return false;
  }
  if (post_step_error_ && !parts_.operation.options.continue_on_error) Stop();
  co_return true;
}

Task<bool> Executor::RunViewSteps(Urn owner) {
  bool ok = true;
  for (decisions::ViewOutcome& view : parts_.views.Release(owner)) {
    Result<int64_t> operation = co_await parts_.recording.Begin(view.step);
    if (!operation.ok()) {
      FailRecording(view.step->urn(), operation.status().Wrap("recording the beginning of the operation"));
      co_return false;
    }
    StepResult applied;
    applied.status = view.failure;
    applied.partial = view.partial;
    StatePtr ignored;
    const bool done = co_await Finish(view.step, *operation, applied, &ignored);
    ok = ok && done;
  }
  co_return ok;
}

void Executor::MarkSecrets(State* state) {
  if (const auto text = decisions::SecretOutputWarning(*state)) parts_.report.Warning(state->urn, *text);
  decisions::MarkSecretOutputs(state);
  // Texts of providers, and recorded as they are.
  for (std::string& reason : state->init_errors) reason = SecretsSeen().Mask(reason);
}

// Of a large stack most resources stay as they are, and one state of each is enough. From now on nobody changes it.
void KeepRecordedState(decisions::Step* step) {
  const bool stays = step->op == StepOp::kSame && step->old_state && !step->is_skipped_create();
  if (!stays || !decisions::IsIdentical(*step->old_state, *step->new_state)) return;
  step->new_state = std::const_pointer_cast<State>(step->old_state);
}

StatePtr Executor::Publish(const decisions::StepPtr& ended, bool happened) {
  const decisions::Step& step = *ended;
  KP_ASSERT(parts_.loop.OnLoopThread(), "states are published on the engine thread");
  decisions::Rows& rows = parts_.run.rows();
  if (!step.new_state) {
    if (!happened || !step.old_state) return nullptr;
    if (step.old_side == decisions::AfterStep::kWaitsForDelete) rows.MarkPendingDelete(step.old_state);
    if (step.old_side == decisions::AfterStep::kPendingReplacement) rows.MarkPendingReplacement(step.old_state);
    return nullptr;
  }
  if (step.op == StepOp::kReplace || !happened) return nullptr;
  if (step.is_announced_refresh()) return step.new_state;
  MarkSecrets(step.new_state.get());
  KeepRecordedState(ended.get());
  StatePtr state = step.new_state;
  const bool was_read = step.op == StepOp::kRead || step.op == StepOp::kReadReplacement;
  if (was_read || !state->pending_delete) rows.Publish(state, was_read);
  const bool condemns = step.old_side == decisions::AfterStep::kWaitsForDelete;
  if (condemns && step.old_state) rows.MarkPendingDelete(step.old_state);
  return state;
}

Task<Status> Executor::RegisterOutputs(decisions::StepPtr step, PropertyMap outputs) {
  StatePtr before = step->new_state;
  auto after = std::make_shared<State>(*before);
  after->outputs = std::move(outputs);
  step->new_state = after;
  parts_.run.rows().Publish(after, false);
  if (const auto hook = decisions::HookAtOutputs(*step)) {
    const State* old_state = step->op == StepOp::kUpdate ? step->old_state.get() : nullptr;
    Status ran = co_await parts_.hooks.Run(*hook, *after, old_state, after.get(), true);
    if (!ran.ok()) RecordPostStepError(after->urn, ran);
  }
  parts_.report.OutputsRegistered(*step);
  Status recorded;
  if (!step->is_skipped_create()) {
    recorded = co_await parts_.recording.Outputs(before, after);
  }
  if (post_step_error_ && !parts_.operation.options.continue_on_error) Stop();
  co_return recorded;
}

}  // namespace kingpost::engine
