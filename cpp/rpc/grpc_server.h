// A gRPC server on the loopback: listens, and ends promptly. Start and Stop on the loop thread.
#pragma once

#include "rpc/wire.h"

#include <grpcpp/server.h>

#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "base/status.h"

namespace kingpost {

struct GrpcServerOptions {
  std::string unix_path;          // also listen on this socket; "" for none. The caller keeps its folder private.
  int streams_in_flight_max = 0;  // per connection; 0: no limit
};

class GrpcServer {
 public:
  GrpcServer() = default;
  ~GrpcServer();  // stops at once, if Stop was not awaited
  GrpcServer(const GrpcServer&) = delete;

  // The address, "127.0.0.1:PORT". The services must outlive this object.
  Result<std::string> Start(const std::vector<grpc::Service*>& services, const GrpcServerOptions& options = {});
  // The caller has answered what was in flight; answers on their way get a moment to leave.
  Task<void> Stop(Loop& loop);

 private:
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace kingpost
