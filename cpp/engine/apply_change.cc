// SPDX-License-Identifier: Apache-2.0
// How steps that change something are applied: same, create, update, delete (rows 5.4 to 5.9).
#include "decisions/delete_call.h"
#include "decisions/failures.h"
#include "decisions/hook_rules.h"
#include "decisions/protection.h"
#include "decisions/requests.h"
#include "decisions/times.h"
#include "engine/executor.h"
#include "engine/providers/provider_diff.h"
#include "kingpost/create_outcome.h"
#include "kingpost/provider.h"

namespace kingpost::engine {

Result<ProviderPtr> Executor::ProviderOf(const decisions::Step& step) const {
  ProviderPtr provider = parts_.providers.Get(step.provider());
  if (provider) return provider;
  return Status(Code::kNotFound, "unknown provider '" + step.provider() + "' for resource '" + step.urn().str() + "'");
}

Task<Executor::StepResult> Executor::Apply(decisions::StepPtr step) {
  switch (step->op) {
    case StepOp::kSame:
      return ApplySame(std::move(step));
    case StepOp::kCreate:
    case StepOp::kCreateReplacement:
      return ApplyCreate(std::move(step));
    case StepOp::kUpdate:
      return ApplyUpdate(std::move(step));
    case StepOp::kDelete:
    case StepOp::kDeleteReplaced:
    case StepOp::kDiscard:
    case StepOp::kDiscardReplaced:
      return ApplyDelete(std::move(step));
    case StepOp::kRead:
    case StepOp::kReadReplacement:
      return ApplyRead(std::move(step));
    case StepOp::kRefresh:
      return ApplyRefresh(std::move(step));
    case StepOp::kImport:
    case StepOp::kImportReplacement:
      return ApplyImport(std::move(step));
    case StepOp::kReplace:
    case StepOp::kRemovePendingReplace:
    case StepOp::kDiff:
    case StepOp::kExtendParameterize:
      break;
  }
  return []() -> Task<StepResult> { co_return StepResult(); }();
}

Task<Executor::StepResult> Executor::ApplySame(decisions::StepPtr step) {
  StepResult applied;
  decisions::CarryOver(step.get());
  if (!decisions::ConfiguresProvider(*step)) co_return applied;
  Status configured =
      co_await parts_.providers.Same(step->new_state->urn, step->new_state->id, step->old_state->inputs, true);
  if (!configured.ok()) {
    applied.status = configured.Wrap("bad provider state for resource " + step->urn().str());
  }
  co_return applied;
}

Task<Result<bool>> Executor::ShouldRetry(const State& owner, const State* old_state, const State* new_state,
                                         std::string failed_operation, Status error,
                                         std::vector<std::string>* failures) {
  if (!decisions::MayRetry(owner, decisions::MayHaveCreated(error))) co_return false;
  failures->insert(failures->begin(), error.message());
  if (decisions::IsRetryLimitReached(failures->size())) {
    parts_.report.Warning(owner.urn, "maximum number of error hook retries (" +
                                         std::to_string(decisions::kErrorHookTriesMax) + ") reached");
    co_return Status(Code::kUnavailable, "maximum number of error hook retries reached");
  }
  Result<bool> again = co_await parts_.hooks.RunErrorHooks(owner, old_state, new_state, failed_operation, *failures);
  if (again.ok() && *again) {
    parts_.report.Warning(owner.urn, "retrying " + failed_operation + " due to on-error hook request (" +
                                         std::to_string(failures->size()) + "/" +
                                         std::to_string(decisions::kErrorHookTriesMax) + ")");
  }
  co_return again;
}

Task<Result<CreateResponse>> Executor::CallCreate(decisions::StepPtr step) {
  CreateRequest request = decisions::CreateRequestOf(*step, is_preview());
  if (step->new_state->is_provider()) {
    co_return co_await parts_.providers.Create(std::move(request));
  }
  Result<ProviderPtr> provider = ProviderOf(*step);
  if (!provider.ok()) co_return provider.status();
  request.status = parts_.views.Reserve(step->urn(), false, false);
  co_return co_await (*provider)->Create(std::move(request));
}

// A resource that an earlier try made in part is completed, not created again.
Task<Result<CreateResponse>> Executor::CreateOrComplete(decisions::StepPtr step, bool is_made) {
  if (!is_made) co_return co_await CallCreate(step);
  Result<ProviderPtr> provider = ProviderOf(*step);
  if (!provider.ok()) co_return provider.status();
  UpdateRequest request = decisions::CompletionOf(*step->new_state, is_preview());
  request.status = parts_.views.Reserve(step->urn(), false, false);
  Result<UpdateResponse> updated = co_await (*provider)->Update(std::move(request));
  if (!updated.ok()) co_return updated.status();
  co_return CreateResponse{step->new_state->id, std::move(updated->outputs), updated->refresh_before_update};
}

Task<Executor::StepResult> Executor::ApplyCreate(decisions::StepPtr step) {
  StepResult applied;
  State& next = *step->new_state;
  applied.status = co_await parts_.hooks.Run(*decisions::HookBefore(step->op), next, nullptr, &next, false);
  if (!applied.status.ok()) co_return applied;

  if (next.custom) {
    std::vector<std::string> failures;
    while (true) {
      Result<CreateResponse> created = co_await CreateOrComplete(step, /*is_made=*/applied.partial);
      applied.status = created.status();
      if (created.ok()) {
        applied.partial = false;
        next.init_errors.clear();
        next.id = created->id;
        next.outputs = created->outputs;
        next.refresh_before_update = created->refresh_before_update;
        if (next.id.empty() && !is_preview()) {
          applied.status =
              Status(Code::kUnavailable, "provider did not return an ID from Create").With(MayHaveHappened());
          co_return applied;
        }
        break;
      }
      if (const InitFailed* detail = applied.status.detail<InitFailed>()) {
        if (!applied.partial) next.id = detail->id;
        applied.partial = true;
        next.outputs = detail->outputs;
        next.init_errors = detail->reasons;
        next.refresh_before_update = detail->refresh_before_update;
      }
      Result<bool> again = co_await ShouldRetry(next, nullptr, &next, "create", applied.status, &failures);
      if (!again.ok()) applied.status = again.status();
      if (!again.ok() || !*again) break;
    }
    if (!applied.happened()) co_return applied;
  }
  decisions::SetTimes(step->op, step->old_state, Now(), &next);
  const auto after = decisions::HookAfter(*step);
  if (!applied.status.ok() || !after) co_return applied;
  Status ran = co_await parts_.hooks.Run(*after, next, nullptr, &next, true);
  if (!ran.ok()) RecordPostStepError(next.urn, ran);
  co_return applied;
}

Task<Result<UpdateResponse>> Executor::CallUpdate(decisions::StepPtr step) {
  UpdateRequest request =
      decisions::UpdateRequestOf(*step, parts_.run.rows().OldViews(step->old_state->urn), is_preview());
  if (step->new_state->is_provider()) {
    co_return co_await parts_.providers.Update(std::move(request));
  }
  Result<ProviderPtr> provider = ProviderOf(*step);
  if (!provider.ok()) co_return provider.status();
  request.status = parts_.views.Reserve(step->urn(), false, false);
  co_return co_await (*provider)->Update(std::move(request));
}

Task<Executor::StepResult> Executor::ApplyUpdate(decisions::StepPtr step) {
  StepResult applied;
  State& next = *step->new_state;
  const State& old_state = *step->old_state;
  next.id = old_state.id;
  applied.status = co_await parts_.hooks.Run(*decisions::HookBefore(step->op), next, &old_state, &next, false);
  if (!applied.status.ok()) co_return applied;

  if (next.custom) {
    std::vector<std::string> failures;
    while (true) {
      Result<UpdateResponse> updated = co_await CallUpdate(step);
      applied.status = updated.status();
      applied.partial = false;
      next.init_errors.clear();
      if (updated.ok()) {
        next.outputs = updated->outputs;
        next.refresh_before_update = updated->refresh_before_update;
        break;
      }
      if (const InitFailed* detail = applied.status.detail<InitFailed>()) {
        applied.partial = true;
        next.outputs = detail->outputs;
        next.init_errors = detail->reasons;
        next.refresh_before_update = detail->refresh_before_update;
      }
      Result<bool> again = co_await ShouldRetry(next, &old_state, &next, "update", applied.status, &failures);
      if (!again.ok()) applied.status = again.status();
      if (!again.ok() || !*again) break;
    }
    if (!applied.happened()) co_return applied;
  }
  decisions::SetTimes(step->op, step->old_state, Now(), &next);
  const auto after = decisions::HookAfter(*step);
  if (!applied.status.ok() || !after) co_return applied;
  Status ran = co_await parts_.hooks.Run(*after, next, &old_state, &next, true);
  if (!ran.ok()) RecordPostStepError(next.urn, ran);
  co_return applied;
}

Task<std::optional<PropertyMap>> Executor::Predict(decisions::StepPtr step) {
  const ProviderPtr provider = parts_.providers.Get(step->provider());
  if (!provider) co_return std::nullopt;
  const Semaphore::Permit slot = co_await slots_.Acquire();
  if (!step->old_state) {
    Result<CreateResponse> created = co_await provider->Create(decisions::CreateRequestOf(*step, /*preview=*/true));
    co_return created.ok() ? std::optional(std::move(created->outputs)) : std::nullopt;
  }
  UpdateRequest request = decisions::UpdateRequestOf(*step, {}, /*preview=*/true);
  Result<UpdateResponse> updated = co_await provider->Update(std::move(request));
  co_return updated.ok() ? std::optional(std::move(updated->outputs)) : std::nullopt;
}

Task<Status> Executor::CallDelete(decisions::StepPtr step) {
  const State& old_state = *step->old_state;
  DeleteRequest request = decisions::DeleteRequestOf(old_state, parts_.run.rows().OldViews(old_state.urn));
  if (old_state.is_provider()) {
    co_return co_await parts_.providers.Delete(request);
  }
  Result<ProviderPtr> provider = ProviderOf(*step);
  if (!provider.ok()) co_return provider.status();
  request.status = parts_.views.Reserve(old_state.urn, false, false);
  co_return co_await (*provider)->Delete(std::move(request));
}

Task<Executor::StepResult> Executor::ApplyDelete(decisions::StepPtr step) {
  StepResult applied;
  const decisions::DeleteCall call = decisions::DeleteCallFor(*step, is_preview(), parts_.run.rows());
  if (call == decisions::DeleteCall::kAlreadyDeleted) co_return applied;
  const State& old_state = *step->old_state;
  applied.status = co_await parts_.hooks.Run(*decisions::HookBefore(step->op), old_state, &old_state, nullptr, false);
  if (!applied.status.ok()) co_return applied;

  if (const auto forbidden = decisions::ProtectedFromDelete(*step, parts_.operation.options.ignore_protect)) {
    applied.status = Status(Code::kFailedPrecondition, *forbidden).With(decisions::ProtectedResource{});
    co_return applied;
  }
  if (call == decisions::DeleteCall::kPreviewed) {
    for (const decisions::StepPtr& view : decisions::AssumedViewDeletes(old_state.urn, parts_.run.rows())) {
      parts_.report.StepBegan(*view);
      parts_.report.StepEnded(*view);
    }
  } else if (call == decisions::DeleteCall::kCalled) {
    std::vector<std::string> failures;
    while (true) {
      applied.status = co_await CallDelete(step);
      if (applied.status.ok()) break;
      Result<bool> again = co_await ShouldRetry(old_state, &old_state, nullptr, "delete", applied.status, &failures);
      if (!again.ok()) applied.status = again.status();
      if (!again.ok() || !*again) co_return applied;
    }
  }
  Status ran = co_await parts_.hooks.Run(*decisions::HookAfter(*step), old_state, &old_state, nullptr, false);
  if (!ran.ok()) RecordPostStepError(old_state.urn, ran);
  co_return applied;
}

}  // namespace kingpost::engine
