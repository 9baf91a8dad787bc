// SPDX-License-Identifier: Apache-2.0
// Client channels and calls.
//
//   auto call = Call(loop, stub->async(), &Provider::async_interface::Check, std::move(request), CallOptions{});
//   auto response = co_await std::move(call);   // Result<std::shared_ptr<pulumirpc::CheckResponse>>
//
// A call takes no thread: gRPC's own threads run the callback, which posts to the loop, where the caller resumes.
// Errors carry the other side's own text (row 8.18). Loop thread.
#pragma once

#include "rpc/wire.h"

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
#include "rpc/wire_errors.h"

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

// One call and what gRPC uses of ours while it runs.
//
// gRPC's threads must never drop the last reference: the context holds the channel, and the last channel to go joins
// those very threads and frees the queue that they read. So the callback hands its reference over to the loop.
template <class Request, class Response>
struct Flight {
  grpc::ClientContext context;
  Request request;
  Response response;
};

// Runs a flight whose request is filled in. Its context may be cancelled meanwhile.
template <class Interface, class Request, class Response>
Task<grpc::Status> Fly(Loop& loop, Interface* stub, AsyncMethod<Interface, Request, Response> method,
                       std::shared_ptr<Flight<Request, Response>> flight) {
  struct Landed {
    grpc::Status status;
    std::shared_ptr<Flight<Request, Response>> flight;
  };
  Completion<Landed> landing(loop);
  std::function<void(grpc::Status)> done = [landing, flight](grpc::Status status) mutable {
    landing.Set(Landed{std::move(status), std::move(flight)});
  };
  (stub->*method)(&flight->context, &flight->request, &flight->response, std::move(done));
  Landed landed = co_await landing;
  co_return std::move(landed.status);
}

template <class Interface, class Request, class Response>
Task<RawAnswer<Response>> RawCall(Loop& loop, Interface* stub, AsyncMethod<Interface, Request, Response> method,
                                  Request request, CallOptions options = {}) {
  auto flight = std::make_shared<Flight<Request, Response>>();
  flight->request = std::move(request);
  if (options.timeout.count() > 0) flight->context.set_deadline(std::chrono::system_clock::now() + options.timeout);
  flight->context.set_wait_for_ready(options.wait_for_ready);
  auto flying = Fly(loop, stub, method, flight);
  grpc::Status status = co_await std::move(flying);
  co_return RawAnswer<Response>{std::move(status), std::shared_ptr<Response>(flight, &flight->response)};
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
