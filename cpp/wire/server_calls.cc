// SPDX-License-Identifier: Apache-2.0
#include "wire/server_calls.h"

#include <vector>

namespace kingpost {

bool ServerCall::Claim() { return calls_->Take(this); }

ServerCallPtr ServerCalls::Open(grpc::CallbackServerContext* context, std::string on_shutdown) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  EndCall end = [reactor](const grpc::Status& status) { reactor->Finish(status); };
  return Add(std::make_shared<ServerCall>(shared_from_this(), reactor, std::move(end), std::move(on_shutdown)));
}

ServerCallPtr ServerCalls::Open(EndCall end, std::string on_shutdown) {
  return Add(std::make_shared<ServerCall>(shared_from_this(), nullptr, std::move(end), std::move(on_shutdown)));
}

ServerCallPtr ServerCalls::Add(ServerCallPtr call) {
  {
    std::lock_guard lock(mutex_);
    if (!closed_) {
      open_.insert(call.get());
      return call;
    }
  }
  call->end_(grpc::Status(grpc::StatusCode::UNAVAILABLE, call->on_shutdown_));
  return call;
}

bool ServerCalls::Take(ServerCall* call) {
  std::lock_guard lock(mutex_);
  return open_.erase(call) > 0;
}

void ServerCalls::Close() {
  // Answered outside the lock, because gRPC may run the next handler on this thread.
  std::vector<std::pair<EndCall, std::string>> left;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    for (ServerCall* call : open_) left.emplace_back(call->end_, call->on_shutdown_);
    open_.clear();
  }
  for (auto& [end, message] : left) end(grpc::Status(grpc::StatusCode::UNAVAILABLE, message));
}

size_t ServerCalls::size() const {
  std::lock_guard lock(mutex_);
  return open_.size();
}

}  // namespace kingpost
