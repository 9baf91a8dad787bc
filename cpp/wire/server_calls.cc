// SPDX-License-Identifier: Apache-2.0
#include "wire/server_calls.h"

#include <vector>

namespace kingpost {

bool ServerCall::Claim() { return calls_->Take(this); }

ServerCallPtr ServerCalls::Open(grpc::CallbackServerContext* context, std::string on_shutdown) {
  auto call = std::make_shared<ServerCall>(shared_from_this(), context->DefaultReactor(), std::move(on_shutdown));
  {
    std::lock_guard lock(mutex_);
    if (!closed_) {
      open_.insert(call.get());
      return call;
    }
  }
  call->reactor_->Finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, call->on_shutdown_));
  return call;
}

bool ServerCalls::Take(ServerCall* call) {
  std::lock_guard lock(mutex_);
  return open_.erase(call) > 0;
}

void ServerCalls::Close() {
  // Answered outside the lock, because gRPC may run the next handler on this thread.
  std::vector<std::pair<grpc::ServerUnaryReactor*, std::string>> left;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    for (ServerCall* call : open_) left.emplace_back(call->reactor_, call->on_shutdown_);
    open_.clear();
  }
  for (auto& [reactor, message] : left) reactor->Finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, message));
}

size_t ServerCalls::size() const {
  std::lock_guard lock(mutex_);
  return open_.size();
}

}  // namespace kingpost
