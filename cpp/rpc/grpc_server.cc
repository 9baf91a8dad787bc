#include "rpc/grpc_server.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <thread>

namespace kingpost {

namespace {

constexpr std::chrono::milliseconds kLastAnswers{1000};

}  // namespace

GrpcServer::~GrpcServer() {
  if (!server_) return;
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
}

Result<std::string> GrpcServer::Start(const std::vector<grpc::Service*>& services, const GrpcServerOptions& options) {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
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
  if (!server_ || port == 0) {
    return Status(Code::kUnavailable, "could not listen on 127.0.0.1" +
                                          (options.unix_path.empty() ? "" : " and " + options.unix_path) +
                                          ": check the limits on open files and sockets");
  }
  return "127.0.0.1:" + std::to_string(port);
}

Task<void> GrpcServer::Stop(Loop& loop) {
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
