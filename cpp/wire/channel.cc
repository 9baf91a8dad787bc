// SPDX-License-Identifier: Apache-2.0
#include "wire/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

namespace kingpost {

namespace {

// A literal address needs no name service.
std::string WithScheme(const std::string& target) {
  const size_t colon = target.rfind(':');
  const bool literal = colon != std::string::npos && colon > 0 && target.find_first_not_of("0123456789.") == colon;
  return literal ? "ipv4:" + target : target;
}

}  // namespace

std::shared_ptr<grpc::Channel> OpenChannel(const std::string& target) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(wire::kMessageBytesMax);
  arguments.SetMaxSendMessageSize(wire::kMessageBytesMax);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A server that goes as soon as it is reached would be called again without limit: gRPC takes the call as never sent.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // Ports are used again by other processes: what one channel learnt about an address must not hold up the next.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  // How long an attempt may take, not how soon the next one comes: a server on a busy machine is slow to shake hands.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 20000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  return grpc::CreateCustomChannel(WithScheme(target), grpc::InsecureChannelCredentials(), arguments);
}

Task<grpc::Status> AwaitCall(Loop& loop, std::shared_ptr<PendingCall> flight) {
  struct Landed {
    grpc::Status status;
    std::shared_ptr<PendingCall> flight;
  };
  Completion<Landed> landing(loop);
  std::function<void(grpc::Status)> done = [landing, flight](grpc::Status status) mutable {
    landing.Set(Landed{std::move(status), std::move(flight)});
  };
  flight->Start(std::move(done));
  Landed landed = co_await landing;
  co_return std::move(landed.status);
}

}  // namespace kingpost
