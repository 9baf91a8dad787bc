// SPDX-License-Identifier: Apache-2.0
// Client channels and calls.
//
//   auto call = Call(loop, stub->async(), &Provider::async_interface::Check, std::move(request), CallOptions{});
//   auto response = co_await std::move(call);   // Result<std::shared_ptr<pulumirpc::CheckResponse>>
//
// A call takes no thread: gRPC's own threads run the callback, which posts to the loop, where the caller resumes.
// Errors carry the other side's own text (row 8.18). Loop thread.
#pragma once

#include "wire/wire.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/loop.h"
#include "base/status.h"
#include "base/then.h"
#include "wire/wire_errors.h"

namespace kingpost {

// "host:port" or "unix:///path". Insecure, messages up to 400 MiB, no proxy. Connects on first use.
std::shared_ptr<grpc::Channel> OpenChannel(const std::string& target);

struct CallOptions {
  std::chrono::milliseconds timeout{0};  // 0: none
  bool wait_for_ready = false;
};

// An answer with gRPC's own status, for callers that read its details.
template <class Response>
struct RawAnswer {
  grpc::Status status;
  std::shared_ptr<Response> response;
};

template <class Response>
Result<std::shared_ptr<Response>> ToResult(RawAnswer<Response> answer) {
  if (!answer.status.ok()) return FromGrpcStatus(answer.status);
  Status readable = wire::Check(*answer.response);
  if (!readable.ok()) return readable;
  return std::move(answer.response);
}

template <class Interface, class Request, class Response>
using AsyncMethod = void (Interface::*)(grpc::ClientContext*, const Request*, Response*,
                                        std::function<void(grpc::Status)>);

// One call and what gRPC uses of ours while it runs. What flies is compiled once, and not again for each method: there
// are some forty.
//
// gRPC's threads must never drop the last reference: the context holds the channel, and the last channel to go joins
// those very threads and frees the queue that they read. So the callback hands its reference over to the loop.
struct PendingCall {
  grpc::ClientContext context;

  PendingCall() = default;
  PendingCall(const PendingCall&) = delete;
  PendingCall& operator=(const PendingCall&) = delete;
  virtual ~PendingCall() = default;
  // `done` is called on a thread of gRPC's.
  virtual void Start(std::function<void(grpc::Status)> done) = 0;
};

template <class Interface, class Request, class Response>
struct TypedPendingCall final : PendingCall {
  Interface* stub;
  AsyncMethod<Interface, Request, Response> method;
  Request request;
  Response response;

  TypedPendingCall(Interface* stub, AsyncMethod<Interface, Request, Response> method, Request request)
      : stub(stub), method(method), request(std::move(request)) {}
  void Start(std::function<void(grpc::Status)> done) override {
    (stub->*method)(&context, &request, &response, std::move(done));
  }
};

// The stub must live until the flight has begun.
template <class Interface, class Request, class Response>
std::shared_ptr<TypedPendingCall<Interface, Request, Response>> MakePendingCall(
    Interface* stub, AsyncMethod<Interface, Request, Response> method, Request request,
    const CallOptions& options = {}) {
  auto flight = std::make_shared<TypedPendingCall<Interface, Request, Response>>(stub, method, std::move(request));
  if (options.timeout.count() > 0) flight->context.set_deadline(std::chrono::system_clock::now() + options.timeout);
  flight->context.set_wait_for_ready(options.wait_for_ready);
  return flight;
}

// Its context may be cancelled meanwhile.
Task<grpc::Status> AwaitCall(Loop& loop, std::shared_ptr<PendingCall> flight);

// Awaited for a RawAnswer<Response>.
template <class Interface, class Request, class Response>
auto RawCall(Loop& loop, Interface* stub, AsyncMethod<Interface, Request, Response> method, Request request,
             CallOptions options = {}) {
  auto flight = MakePendingCall(stub, method, std::move(request), options);
  return Then(AwaitCall(loop, flight), [flight](grpc::Status status) {
    return RawAnswer<Response>{std::move(status), std::shared_ptr<Response>(flight, &flight->response)};
  });
}

template <class Interface, class Request, class Response>
Task<Result<std::shared_ptr<Response>>> Call(Loop& loop, Interface* stub,
                                             AsyncMethod<Interface, Request, Response> method, Request request,
                                             CallOptions options = {}) {
  auto call = RawCall(loop, stub, method, std::move(request), options);
  auto answer = co_await std::move(call);
  co_return ToResult(std::move(answer));
}

}  // namespace kingpost
