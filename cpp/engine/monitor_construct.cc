// SPDX-License-Identifier: Apache-2.0
// Remote components: the provider is asked to construct them, and answers with what they are (rows 1.33 and 1.21).
#include "base/encoding.h"
#include "engine/monitor_service.h"
#include "engine/providers/provider_diff.h"
#include "model/output_values.h"

namespace kingpost::engine {

Task<MonitorService::ConstructResult> MonitorService::ConstructUnlessStopped(ProviderPtr provider,
                                                                             ConstructRequest request) {
  if (parts_.requests.stopped()) co_return std::nullopt;
  const auto first = constructing_.emplace(constructing_.end(), parts_.loop);
  parts_.loop.Spawn([](ProviderPtr by, ConstructRequest what, Completion<ConstructResult> answer) -> Task<void> {
    answer.Set(co_await by->Construct(std::move(what)));
  }(std::move(provider), std::move(request), *first));
  ConstructResult answer = co_await *first;
  constructing_.erase(first);
  co_return answer;
}

void MonitorService::AbandonConstructions() {
  for (const Completion<ConstructResult>& waiting : constructing_) waiting.Set(std::nullopt);
}

Task<Result<RegisterResourceResponse>> MonitorService::Construct(GoalDraft* r) {
  const std::string reference = r->provider_reference;
  const std::string denied = decisions::DeniedPackage(reference);
  if (!denied.empty()) {
    co_return Status(Code::kUnknown, "Default provider for '" + denied + "' disabled. '" + r->request.type +
                                         "' must use an explicit provider.");
  }
  KP_CO_TRY(co_await parts_.providers.EnsureLeftOut(reference));
  ProviderPtr provider = parts_.providers.Get(reference);
  if (!provider) co_return Status(Code::kUnknown, "unknown provider '" + reference + "'");
  KP_CO_TRY(co_await EnsureExtended(reference, r->request.package_ref));
  KP_CO_TRY(Complete(r));
  const Goal goal = std::move(static_cast<Goal&>(r->request));
  ConstructRequest request;
  static_cast<Goal&>(request) = goal;
  request.info = MakeConstructInfo();
  request.providers = r->provider_references;
  const std::string handle =
      positions_.Record(std::move(request.stack_trace), FormatUuid4(parts_.operation.environment.random_bytes(16)));
  request.info.stack_trace_handle = handle;
  ConstructResult answer = co_await ConstructUnlessStopped(provider, std::move(request));
  positions_.Release(handle);
  if (!answer) {
    co_return Status(Code::kUnavailable, "resource monitor shut down while waiting for construct to complete");
  }
  Result<ConstructResponse>& constructed = *answer;
  if (!constructed.ok()) {
    if (!parts_.requests.stopped()) {
      const bool show_secrets = parts_.operation.options.show_secrets;
      const std::string refusal = providers::RefusalText(constructed.status(), goal.inputs, show_secrets);
      parts_.report.Error(Urn(), goal.type + " resource '" + goal.name + "' has a problem: " + refusal);
    }
    co_return Abort(Status(Code::kUnknown, "resource monitor shut down"));
  }
  Remember(r, constructed->urn, goal, "");
  RegisterResourceResponse response;
  response.urn = constructed->urn;
  response.outputs = constructed->outputs;
  response.property_dependencies = std::move(constructed->output_dependencies);
  AddCarriedDependencies(response.outputs, &response.property_dependencies);
  response.outputs = FlattenOutputs(response.outputs);
  co_return response;
}

}  // namespace kingpost::engine
