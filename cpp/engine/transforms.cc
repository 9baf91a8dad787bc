// SPDX-License-Identifier: Apache-2.0
#include "engine/transforms.h"

namespace kingpost::engine {

std::vector<Callback> Transforms::Own(const RegisterResourceRequest& request) {
  const bool kept_back = request.remote && !request.transforms.empty();
  if (pending_.empty() && !kept_back) return request.transforms;
  const std::string key = request.parent.str() + "::" + request.type + "::" + request.name;
  auto pending = pending_.find(key);
  if (pending != pending_.end()) {
    std::vector<Callback> own = std::move(pending->second);
    pending_.erase(pending);
    return own;
  }
  if (kept_back) pending_[key] = request.transforms;
  return request.transforms;
}

void Transforms::Registered(const Urn& urn, const Urn& parent, std::vector<Callback> own) {
  const auto inherited = below_.find(parent);
  if (inherited != below_.end()) own.insert(own.end(), inherited->second.begin(), inherited->second.end());
  if (!own.empty()) below_[urn] = std::move(own);
}

std::vector<Callback> Transforms::For(const std::vector<Callback>& own, const Urn& parent) const {
  std::vector<Callback> all = own;
  const auto inherited = below_.find(parent);
  if (inherited != below_.end()) all.insert(all.end(), inherited->second.begin(), inherited->second.end());
  all.insert(all.end(), stack_.begin(), stack_.end());
  return all;
}

Task<Status> Transforms::Apply(std::vector<Callback> callbacks, RegisterResourceRequest* request) {
  for (const Callback& callback : callbacks) {
    auto transforming = operation_.host->callbacks().Transform(callback, std::move(*request));
    Result<RegisterResourceRequest> answer = co_await std::move(transforming);
    if (!answer.ok()) co_return Status(Code::kUnknown, "invoke transform: " + answer.status().message());
    *request = std::move(*answer);
  }
  co_return Status();
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
