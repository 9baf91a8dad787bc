// SPDX-License-Identifier: Apache-2.0
// How steps that look at what exists are applied: read, refresh, import (rows 3.16, 5.5, 5.14, 5.15, 6.10).
#include <algorithm>

#include "decisions/check_rules.h"
#include "decisions/dependency_refs.h"
#include "decisions/import_rules.h"
#include "decisions/preview.h"
#include "decisions/read_rules.h"
#include "decisions/refresh_rules.h"
#include "decisions/requests.h"
#include "decisions/times.h"
#include "engine/executor.h"
#include "engine/providers/provider_diff.h"
#include "model/restore_secrets.h"

namespace kingpost::engine {

namespace {

constexpr char kProvidersAreNotRead[] = "provider resources may not be read";

// The properties that a Read brought although it reported init errors.
ReadResponse FromInitFailed(const InitFailed& detail) {
  ReadResponse response;
  response.id = detail.id;
  response.inputs = detail.inputs;
  response.outputs = detail.outputs;
  response.refresh_before_update = detail.refresh_before_update;
  return response;
}

}  // namespace

Task<Executor::StepResult> Executor::ApplyRead(decisions::StepPtr step) {
  StepResult applied;
  State& next = *step->new_state;
  if (step->unknown_yet) {
    next.outputs = PropertyMap();
    next.id.clear();
  } else if (next.is_provider()) {
    applied.status = Status(Code::kInvalidArgument, kProvidersAreNotRead);
    co_return applied;
  } else {
    Result<ProviderPtr> provider = ProviderOf(*step);
    if (!provider.ok()) {
      applied.status = provider.status();
      co_return applied;
    }
    ReadRequest request = decisions::ReadRequestOf(next);
    request.status = parts_.views.Reserve(next.urn, false, false);
    Result<ReadResponse> read = co_await (*provider)->Read(std::move(request));
    if (!read.ok()) {
      applied.status = read.status();
      const InitFailed* detail = applied.status.detail<InitFailed>();
      if (!detail) co_return applied;
      applied.partial = true;
      next.init_errors = detail->reasons;
      read = FromInitFailed(*detail);
    }
    if (!read->outputs) {
      applied.partial = false;
      applied.status = decisions::DoesNotExist(next.id);
      co_return applied;
    }
    next.outputs = *read->outputs;
    if (step->old_state) next.outputs = RestoreSecrets(next.outputs, decisions::KnownSecrets(*step->old_state, next));
    if (!read->id.empty()) next.id = read->id;
  }
  decisions::SetTimes(step->op, step->old_state, Now(), &next);
  co_return applied;
}

Task<Result<ReadResponse>> Executor::ReadForRefresh(decisions::StepPtr step, ProviderPtr provider) {
  const State& old_state = *step->old_state;
  ReadRequest request = decisions::RefreshRequestOf(*step, parts_.run.rows().OldViews(old_state.urn));
  request.status = parts_.views.Reserve(old_state.urn, true, step->refresh != decisions::RefreshKind::kStandalone);
  Result<ReadResponse> read = co_await provider->Read(std::move(request));
  if (read.ok()) {
    step->new_state->init_errors.clear();
    co_return read;
  }
  const Status failed = read.status();
  const InitFailed* detail = failed.detail<InitFailed>();
  if (!detail) co_return failed;
  step->new_state->init_errors = detail->reasons;
  std::string text = "Refreshed resource is in an unhealthy state:";
  for (const std::string& reason : detail->reasons) text += "\n* " + reason;
  parts_.report.Warning(old_state.urn, text);
  co_return FromInitFailed(*detail);
}

Task<Executor::StepResult> Executor::ApplyRefresh(decisions::StepPtr step) {
  StepResult applied;
  const State& old_state = *step->old_state;
  const bool legacy_diff = parts_.operation.options.legacy_refresh_diff;
  if (!decisions::IsReadByProvider(*step, parts_.run.rows())) {
    step->new_state->pending_replacement = parts_.run.rows().WaitsForReplacement(step->old_state);
    step->refresh_result = decisions::ResultUnread(*step, legacy_diff);
    co_return applied;
  }
  Result<ProviderPtr> provider = ProviderOf(*step);
  if (!provider.ok()) {
    applied.status = provider.status();
    co_return applied;
  }
  Result<ReadResponse> read = co_await ReadForRefresh(step, *provider);
  if (!read.ok()) {
    applied.status = read.status();
    co_return applied;
  }
  if (decisions::IsGone(*read)) {
    step->new_state = nullptr;
    step->refresh_result = StepOp::kDelete;
    co_return applied;
  }

  State& next = *step->new_state;
  const PropertyMap found = decisions::TakeFound(*read, old_state, &next);
  decisions::SetTimes(step->op, step->old_state, Now(), &next);
  if (const auto result = decisions::ComparedByOutputs(next, old_state, legacy_diff)) {
    step->refresh_result = *result;
    co_return applied;
  }
  applied.status = co_await CompareRefreshed(step, *provider, found);
  co_return applied;
}

// The provider is asked how what it found would have to change to be what was wanted last; shown is the reverse.
Task<Status> Executor::CompareRefreshed(decisions::StepPtr step, ProviderPtr provider, PropertyMap found) {
  const State& next = *step->new_state;
  auto request = decisions::RequestAbout<DiffRequest>(next);
  request.old_inputs = next.inputs;
  request.old_outputs = std::move(found);
  request.new_inputs = step->wanted_inputs.value_or(step->old_state->inputs);
  request.ignore_changes = step->wanted_inputs ? next.ignore_changes : step->old_state->ignore_changes;
  request.allow_unknowns = is_preview();
  Result<DiffResponse> diff = co_await providers::DiffWithProvider(*provider, std::move(request), parts_.report);
  if (!diff.ok()) co_return diff.status();
  decisions::ShowRefreshed(std::move(*diff), step.get());
  co_return Status();
}

Task<Result<ReadResponse>> Executor::ReadForImport(decisions::StepPtr step) {
  State& next = *step->new_state;
  if (next.is_provider()) co_return Status(Code::kInvalidArgument, kProvidersAreNotRead);
  Result<ProviderPtr> provider = ProviderOf(*step);
  if (!provider.ok()) co_return provider.status();
  ReadRequest request = decisions::ImportRequestOf(next);
  request.status = parts_.views.Reserve(next.urn, false, false);
  Result<ReadResponse> read = co_await (*provider)->Read(std::move(request));
  if (!read.ok()) {
    const Status failed = read.status();
    const InitFailed* detail = failed.detail<InitFailed>();
    if (!detail) co_return failed;
    next.init_errors = detail->reasons;
    read = FromInitFailed(*detail);
  }
  if (!read->outputs) {
    co_return decisions::DoesNotExist(next.id.empty() ? next.import_id : next.id);
  }
  if (!read->inputs) {
    co_return Status(Code::kUnavailable, "provider does not support importing resources; please try updating the '" +
                                             std::string(PackageOfType(next.urn.type())) + "' plugin");
  }
  co_return read;
}

Task<Executor::StepResult> Executor::ApplyImport(decisions::StepPtr step) {
  StepResult applied;
  State& next = *step->new_state;
  if (step->planned_import) applied.status = decisions::CheckImportable(next, parts_.run.rows());
  if (!applied.status.ok()) co_return applied;
  const PropertyMap supplied = next.inputs;
  PropertyMap inputs, outputs;
  if (!next.outputs.empty()) {
    inputs = supplied;
    outputs = next.outputs;
    if (next.custom) next.id = next.import_id;
  } else if (next.custom) {
    Result<ReadResponse> read = co_await ReadForImport(step);
    if (!read.ok()) {
      applied.status = read.status();
      co_return applied;
    }
    next.id = read->id.empty() ? next.import_id : read->id;
    next.refresh_before_update = read->refresh_before_update;
    inputs = *read->inputs;
    outputs = *read->outputs;
    if (step->planned_import) inputs = decisions::MergeSupplied(inputs, supplied);
  } else if (step->planned_import) {
    inputs = supplied;
  }
  next.inputs = inputs;
  next.outputs = std::move(outputs);
  decisions::SetTimes(step->op, nullptr, Now(), &next);
  if (step->op == StepOp::kImport) step->old_state = decisions::FoundByImport(next);
  if (!next.custom) co_return applied;
  if (step->planned_import) {
    applied.status = co_await CheckPlannedImport(step, inputs);
  }
  co_return applied;
}

Task<Status> Executor::CheckPlannedImport(decisions::StepPtr step, PropertyMap read_inputs) {
  State& next = *step->new_state;
  const std::vector<std::string> chosen = decisions::ChosenProperties(parts_.operation.options.imports, next.import_id);
  // The code of a previewed import says by which ID; what is imported already needs no import any more.
  if (decisions::RecordsSteps(is_preview())) next.import_id.clear();
  if (!chosen.empty()) next.inputs = decisions::FilterProperties(read_inputs, chosen);
  Result<ProviderPtr> provider = ProviderOf(*step);
  if (!provider.ok()) co_return provider.status();
  auto request = decisions::RequestAbout<CheckRequest>(next);
  request.old_inputs = read_inputs;
  request.new_inputs = next.inputs;
  request.random_seed = parts_.operation.environment.random_bytes(32);
  request.allow_unknowns = is_preview();
  Result<CheckResponse> checked = co_await (*provider)->Check(std::move(request));
  if (!checked.ok()) co_return checked.status();
  if (checked->failures.empty()) co_return Status();
  const std::string hint =
      chosen.empty() ? "This is almost certainly a bug in the `" +
                           std::string(ProviderPackage(decisions::ProviderUrn(next).type())) + "` provider."
                     : std::string("Try specifying a different set of properties to import with in the future.");
  parts_.report.Warning(next.urn, "One or more imported inputs failed to validate. " + hint +
                                      " The import will still proceed, but you will need to edit the generated code "
                                      "after copying it into your program.");
  for (const CheckFailure& failure : checked->failures) {
    parts_.report.Warning(
        next.urn, decisions::CheckFailureText(next, checked->inputs, failure, parts_.operation.options.show_secrets));
  }
  co_return Status();
}

}  // namespace kingpost::engine
