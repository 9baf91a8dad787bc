// The gRPC face of the resource monitor: what the running program talks to (group 1).
//
//   gRPC thread:  decode ─▶ drop the message ─▶ spawn on the loop      loop:  hash assets ─▶ Monitor ─▶ encode, answer
//
// Handlers never wait. Thousands of calls may be held at once; each costs its decoded request, not a thread. Owns the
// server; Start, Stop and the destructor run on the loop thread.
#pragma once

#include "rpc/wire.h"

#include <memory>
#include <string>

#include "base/loop.h"
#include "kingpost/monitor.h"
#include "rpc/grpc_server.h"

namespace kingpost {

struct MonitorServerOptions {
  std::string working_directory;  // to which paths of assets are relative
  std::string unix_path;          // also listen there; "" for none
};

class MonitorServer {
 public:
  // The monitor is not called after Stop has begun; calls of it that still run then are left to it to end.
  MonitorServer(Loop& loop, Monitor* monitor, MonitorServerOptions options = {});
  ~MonitorServer();
  MonitorServer(const MonitorServer&) = delete;

  Result<std::string> Start();  // the address, "127.0.0.1:PORT"
  // "unix:///..." if there is such a socket, else the address.
  const std::string& private_address() const { return private_address_; }
  // Waiting calls fail with Unavailable, which SDKs take as a quiet end; then nothing listens any more.
  Task<void> Stop();
  size_t calls_in_flight() const;

 private:
  class Service;
  struct Core;

  std::shared_ptr<Core> core_;
  std::unique_ptr<Service> service_;
  GrpcServer server_;
  MonitorServerOptions options_;
  std::string private_address_;
};

}  // namespace kingpost
