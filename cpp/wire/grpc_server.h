// SPDX-License-Identifier: Apache-2.0
// A gRPC server for this user alone: listens on a socket in a private folder, on a guarded port, or on both, and ends
// promptly. Start, OpenPort and Stop on the loop thread.
#pragma once

#include "wire/wire.h"

#include <grpcpp/server.h>

#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "base/status.h"
#include "processes/guarded_port.h"

namespace kingpost {

struct GrpcServerOptions {
  std::string unix_path;          // the socket, in a folder that the caller keeps private; "": a port instead
  int streams_in_flight_max = 0;  // per connection; 0: no limit
  GuardedPort::OnRefused on_refused = nullptr;
};

class GrpcServer {
 public:
  GrpcServer() = default;
  ~GrpcServer();  // stops at once, if Stop was not awaited
  GrpcServer(const GrpcServer&) = delete;

  // The address: "unix:///..." or "127.0.0.1:PORT". The services must outlive this object.
  Result<std::string> Start(const std::vector<grpc::Service*>& services, GrpcServerOptions options = {});
  // "127.0.0.1:PORT", for those who cannot be given a socket; opened by the first who asks.
  Result<std::string> OpenPort();
  // The caller has answered what was in flight; answers on their way get a moment to leave.
  Task<void> Stop(Loop& loop);

 private:
  GuardedPort::Acceptor acceptor_;  // until the port is open
  GuardedPort::OnRefused on_refused_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<GuardedPort> port_;  // goes before the server
};

}  // namespace kingpost
