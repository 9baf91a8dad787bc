// SPDX-License-Identifier: Apache-2.0
// Calls that a server has received and not yet answered: over gRPC, or from a program in this process.
//
// A handler runs on one of gRPC's few threads and must not wait: it opens a ServerCall, decodes the request and hands
// the rest to the loop. The first to finish the call wins, so that a shutdown can answer thousands of held calls
// while the coroutines that hold them are still suspended. All methods may be called from any thread.
#pragma once

#include "wire/wire.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/message_allocator.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/status.h"
#include "wire/wire_errors.h"

namespace kingpost {

class ServerCalls;

// How a call ends. It runs once, on any thread.
using EndCall = std::function<void(const grpc::Status&)>;

class ServerCall {
 public:
  ServerCall(std::shared_ptr<ServerCalls> calls, grpc::ServerUnaryReactor* reactor, EndCall end,
             std::string on_shutdown)
      : calls_(std::move(calls)), reactor_(reactor), end_(std::move(end)), on_shutdown_(std::move(on_shutdown)) {}
  // A call that was dropped is answered as by a shutdown: the other side must not wait for ever.
  ~ServerCall() { Finish(Status(Code::kUnavailable, on_shutdown_)); }
  ServerCall(const ServerCall&) = delete;

  // The object that gRPC wants back from a handler. Only valid in the handler: a finished call takes its reactor along.
  // Null for a call that came without gRPC.
  grpc::ServerUnaryReactor* reactor() const { return reactor_; }

  void Finish(const Status& status) {
    if (Claim()) end_(ToGrpcStatus(status));
  }
  // `fill` writes the response and answers a Status; it does not run if the call has been finished already, because the
  // response is gone by then.
  template <class Fill>
  void Answer(const Fill& fill) {
    if (Claim()) end_(ToGrpcStatus(fill()));
  }

 private:
  friend class ServerCalls;
  bool Claim();

  std::shared_ptr<ServerCalls> calls_;
  grpc::ServerUnaryReactor* reactor_;
  EndCall end_;
  std::string on_shutdown_;
};
using ServerCallPtr = std::shared_ptr<ServerCall>;

class ServerCalls : public std::enable_shared_from_this<ServerCalls> {
 public:
  // `on_shutdown` is the message of the Unavailable with which Close() answers. After Close() the call is finished at
  // once.
  ServerCallPtr Open(grpc::CallbackServerContext* context, std::string on_shutdown);
  // A call of a program in this process.
  ServerCallPtr Open(EndCall end, std::string on_shutdown);
  void Close();
  size_t size() const;

 private:
  friend class ServerCall;
  bool Take(ServerCall* call);
  ServerCallPtr Add(ServerCallPtr call);

  mutable std::mutex mutex_;
  std::unordered_set<ServerCall*> open_;
  bool closed_ = false;
};

// Lets a handler drop the request as soon as it is decoded: ten thousand held calls then cost what the engine keeps of
// them, not the messages too. In the handler: context->GetRpcAllocatorState()->FreeRequest().
template <class Request, class Response>
class EarlyFreeAllocator final : public grpc::MessageAllocator<Request, Response> {
 public:
  grpc::MessageHolder<Request, Response>* AllocateMessages() override { return new Holder(); }

 private:
  class Holder final : public grpc::MessageHolder<Request, Response> {
   public:
    Holder() : request_(std::make_unique<Request>()) {
      this->set_request(request_.get());
      this->set_response(&response_);
    }
    void FreeRequest() override { request_.reset(); }
    void Release() override { delete this; }

   private:
    std::unique_ptr<Request> request_;
    Response response_;
  };
};

}  // namespace kingpost
