// SPDX-License-Identifier: Apache-2.0
// Remote components: the provider is asked to construct them, and answers with what they are (rows 1.33 and 1.21).
#include <algorithm>

#include "base/encoding.h"
#include "engine/monitor_service.h"
#include "engine/provider_diff.h"

namespace kingpost::engine {

namespace {

// What a remote component gets: unknowns and secrets as output values.
PropertyMap Upgraded(const PropertyMap& inputs) {
  return Rewrite(inputs, [](const Value& value) {
    if (!value.is_computed() && !value.is_secret()) return value;
    OutputData output;
    output.known = !value.is_computed();
    if (value.is_secret()) {
      output.secret = true;
      output.element = value.as_secret().element;
      if (output.element.is_output()) {
        output = output.element.as_output();
        output.secret = true;
      }
    }
    return Value::Output(std::move(output));
  });
}

// Outputs bring dependencies of their own, beside those that the provider told.
void AddCarriedDependencies(const PropertyMap& outputs, PropertyDependencies* dependencies) {
  for (const auto& [key, value] : outputs) {
    std::vector<Urn> carried;
    CollectOutputDependencies(value, &carried);
    std::vector<Urn>& urns = (*dependencies)[key];
    for (const Urn& urn : carried) {
      if (std::find(urns.begin(), urns.end(), urn) == urns.end()) urns.push_back(urn);
    }
  }
}

}  // namespace

Task<MonitorService::Constructed> MonitorService::ConstructUnlessStopped(ProviderPtr provider,
                                                                         ConstructRequest request) {
  if (parts_.registrar.stopped()) co_return std::nullopt;
  const auto first = constructing_.emplace(constructing_.end(), parts_.loop);
  parts_.loop.Spawn([](ProviderPtr by, ConstructRequest what, Completion<Constructed> answer) -> Task<void> {
    answer.Set(co_await by->Construct(std::move(what)));
  }(std::move(provider), std::move(request), *first));
  Constructed answer = co_await *first;
  constructing_.erase(first);
  co_return answer;
}

void MonitorService::AbandonConstructions() {
  for (const Completion<Constructed>& waiting : constructing_) waiting.Set(std::nullopt);
}

ConstructRequest MonitorService::MakeConstructRequest(const Registering& r, const Goal& goal) const {
  ConstructRequest request;
  request.info = MakeConstructInfo();
  request.type = r.request.type;
  request.name = r.request.name;
  request.parent = r.parent;
  request.inputs = Upgraded(r.inputs);
  request.input_dependencies = r.property_dependencies;
  request.protect = goal.protect;
  request.providers = r.provider_references;
  request.dependencies = goal.dependencies;
  request.aliases = goal.aliases;
  request.additional_secret_outputs = goal.additional_secret_outputs;
  request.custom_timeouts = goal.custom_timeouts;
  request.deleted_with = goal.deleted_with;
  request.replace_with = goal.replace_with;
  request.delete_before_replace = goal.delete_before_replace;
  request.ignore_changes = goal.ignore_changes;
  request.replace_on_changes = goal.replace_on_changes;
  request.retain_on_delete = goal.retain_on_delete;
  request.hooks = goal.hooks;
  request.replacement_trigger = goal.replacement_trigger;
  return request;
}

Task<Result<RegisterResourceResponse>> MonitorService::Construct(Registering* r) {
  const std::string reference = r->provider_reference;
  const std::string denied = DeniedPackage(reference);
  if (!denied.empty()) {
    co_return Status(Code::kUnknown, "Default provider for '" + denied + "' disabled. '" + r->request.type +
                                         "' must use an explicit provider.");
  }
  ProviderPtr provider = parts_.providers.Get(reference);
  if (!provider) co_return Status(Code::kUnknown, "unknown provider '" + reference + "'");
  auto extended = extensions_.find(r->request.package_ref);
  if (!r->request.package_ref.empty() && extended != extensions_.end()) {
    bool first = false;
    KP_CO_TRY(co_await parts_.providers.Extend(reference, r->request.package_ref, extended->second, &first));
  }
  Goal goal;
  KP_CO_TRY(ReadOptions(r, &goal));
  ConstructRequest request = MakeConstructRequest(*r, goal);
  const std::string handle =
      positions_.Record(std::move(goal.stack_trace), FormatUuid4(parts_.operation.environment.random_bytes(16)));
  request.info.stack_trace_handle = handle;
  Constructed answer = co_await ConstructUnlessStopped(provider, std::move(request));
  positions_.Release(handle);
  if (!answer) {
    co_return Status(Code::kUnavailable, "resource monitor shut down while waiting for construct to complete");
  }
  Result<ConstructResponse>& constructed = *answer;
  if (!constructed.ok()) {
    if (!parts_.registrar.failed()) {
      parts_.report.Error(Urn(), r->request.type + " resource '" + r->request.name +
                                     "' has a problem: " + RefusalText(constructed.status(), r->inputs));
    }
    co_return Abort(Status(Code::kUnknown, "resource monitor shut down"));
  }
  Remember(*r, constructed->urn, "");
  RegisterResourceResponse response;
  response.urn = constructed->urn;
  response.outputs = constructed->outputs;
  response.property_dependencies = std::move(constructed->output_dependencies);
  AddCarriedDependencies(response.outputs, &response.property_dependencies);
  response.outputs = FlattenOutputs(response.outputs);
  co_return response;
}

}  // namespace kingpost::engine
