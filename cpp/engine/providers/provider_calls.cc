// SPDX-License-Identifier: Apache-2.0
#include "engine/providers/provider_calls.h"

#include "model/output_values.h"

namespace kingpost::providers {

namespace {

// Leaves plain values, and returns what they depended on.
std::vector<Urn> TakeDependencies(PropertyMap* args) {
  std::vector<Urn> carried = CarriedDependencies(*args);
  *args = FlattenOutputs(*args);
  return carried;
}

}  // namespace

Task<Result<InvokeResponse>> Invoke(ProviderPtr provider, InvokeRequest request) {
  if (provider->features().accepts_outputs_in_invoke) co_return co_await provider->Invoke(std::move(request));
  const std::vector<Urn> carried = TakeDependencies(&request.args);
  Result<InvokeResponse> answer = co_await provider->Invoke(std::move(request));
  if (answer.ok()) answer->result = DependingOn(answer->result, carried);
  co_return answer;
}

Task<Result<CallResponse>> Call(ProviderPtr provider, CallRequest request) {
  if (provider->features().accepts_outputs_in_call) co_return co_await provider->Call(std::move(request));
  const std::vector<Urn> carried = TakeDependencies(&request.args);
  Result<CallResponse> answer = co_await provider->Call(std::move(request));
  if (!answer.ok()) co_return answer;
  answer->result = WithDependencies(DependingOn(answer->result, carried), answer->result_dependencies);
  co_return answer;
}

}  // namespace kingpost::providers
