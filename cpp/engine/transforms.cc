// SPDX-License-Identifier: Apache-2.0
#include "engine/transforms.h"

namespace kingpost::engine {

std::vector<Callback> Transforms::Own(const std::string& parent, const std::string& type, const std::string& name,
                                      bool remote, const std::vector<Callback>& requested) {
  const std::string key = parent + "::" + type + "::" + name;
  auto pending = pending_.find(key);
  if (pending != pending_.end()) {
    std::vector<Callback> own = std::move(pending->second);
    pending_.erase(pending);
    return own;
  }
  if (remote && !requested.empty()) pending_[key] = requested;
  return requested;
}

void Transforms::Registered(const Urn& urn, const Urn& parent, std::vector<Callback> own) {
  parents_[urn] = parent;
  if (!own.empty()) own_[urn] = std::move(own);
}

Task<Result<TransformResponse>> Transforms::Apply(std::vector<Callback> own, Urn parent, TransformRequest request) {
  std::vector<Callback> all = std::move(own);
  for (Urn current = parent; !current.empty();) {
    auto found = own_.find(current);
    if (found != own_.end()) all.insert(all.end(), found->second.begin(), found->second.end());
    auto up = parents_.find(current);
    current = up == parents_.end() ? Urn() : up->second;
  }
  all.insert(all.end(), stack_.begin(), stack_.end());
  for (const Callback& callback : all) {
    Result<TransformResponse> answer = co_await operation_.host->callbacks().Transform(callback, request);
    if (!answer.ok()) {
      // The text of a gRPC error inside another one, as callers match it.
      co_return Status(Code::kUnknown, "invoke transform: " +
                                           std::string(answer.status().message().rfind("unmarshaling", 0) != 0
                                                           ? "rpc error: code = Unknown desc = "
                                                           : "") +
                                           answer.status().message());
    }
    request.properties = std::move(answer->properties);
    request.options = std::move(answer->options);
  }
  TransformResponse result;
  result.properties = std::move(request.properties);
  result.options = std::move(request.options);
  co_return result;
}

Task<Result<TransformInvokeResponse>> Transforms::ApplyToInvoke(TransformInvokeRequest request) {
  for (const Callback& callback : invokes_) {
    Result<TransformInvokeResponse> answer = co_await operation_.host->callbacks().TransformInvoke(callback, request);
    if (!answer.ok()) co_return answer.status();
    request.args = std::move(answer->args);
    request.options = std::move(answer->options);
  }
  TransformInvokeResponse result;
  result.args = std::move(request.args);
  result.options = std::move(request.options);
  co_return result;
}

}  // namespace kingpost::engine
