// SPDX-License-Identifier: Apache-2.0
#include "wire/grpc_server.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

namespace kingpost {

namespace {

using ExternalAcceptor = grpc::experimental::ExternalConnectionAcceptor;

constexpr std::chrono::milliseconds kLastAnswers{1000};

GuardedPort::Acceptor AcceptorOf(std::shared_ptr<ExternalAcceptor> acceptor) {
  return [acceptor = std::move(acceptor)](int listener, int connection) {
    ExternalAcceptor::NewConnectionParameters parameters;
    parameters.listener_fd = listener;
    parameters.fd = connection;
    acceptor->HandleNewConnection(&parameters);
  };
}

}  // namespace

GrpcServer::~GrpcServer() {
  port_ = nullptr;
  if (!server_) return;
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
}

Result<std::string> GrpcServer::Start(const std::vector<grpc::Service*>& services, GrpcServerOptions options) {
  grpc::ServerBuilder builder;
  acceptor_ = AcceptorOf(builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, grpc::InsecureServerCredentials()));
  on_refused_ = std::move(options.on_refused);
  if (!options.unix_path.empty()) {
    builder.AddListeningPort("unix:" + options.unix_path, grpc::InsecureServerCredentials());
  }
  builder.SetMaxReceiveMessageSize(wire::kMessageBytesMax);
  builder.SetMaxSendMessageSize(wire::kMessageBytesMax);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Clients that ping often are no reason to hang up on them.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 1000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  if (options.streams_in_flight_max > 0) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, options.streams_in_flight_max);
  }
  for (grpc::Service* service : services) builder.RegisterService(service);
  server_ = builder.BuildAndStart();
  if (!server_) {
    const std::string where = options.unix_path.empty() ? "" : " on " + options.unix_path;
    return Status(Code::kUnavailable, "could not listen" + where + ": check the limits on open files and sockets");
  }
  return options.unix_path.empty() ? OpenPort() : "unix://" + options.unix_path;
}

Result<std::string> GrpcServer::OpenPort() {
  KP_ASSERT(server_, "ports are opened while the server runs");
  if (port_) return port_->address();
  if (!acceptor_) return Status(Code::kUnavailable, "could not listen on 127.0.0.1");  // it failed before
  auto port = GuardedPort::Open(std::exchange(acceptor_, nullptr), on_refused_);
  if (!port.ok()) return port.status();
  port_ = std::move(*port);
  return port_->address();
}

Task<void> GrpcServer::Stop(Loop& loop) {
  port_ = nullptr;
  if (!server_) co_return;
  Completion<bool> done(loop);
  // Shutdown waits for gRPC's threads, which the loop must not.
  std::thread waiter([server = server_.get(), done] {
    server->Shutdown(std::chrono::system_clock::now() + kLastAnswers);
    server->Wait();
    done.Set(true);
  });
  co_await done;
  waiter.join();
  server_ = nullptr;
}

}  // namespace kingpost
