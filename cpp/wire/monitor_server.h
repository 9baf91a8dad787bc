// SPDX-License-Identifier: Apache-2.0
// The face of the resource monitor: what the running program talks to (group 1), over gRPC or from this process.
//
//   gRPC thread:  decode ─▶ drop the message ─▶ spawn on the loop      loop:  hash assets ─▶ Monitor ─▶ encode, answer
//
// Handlers never wait. Thousands of calls may be held at once; each costs its decoded request, not a thread. Owns the
// server; Start, Stop and the destructor run on the loop thread.
#pragma once

#include "wire/wire.h"

#include <memory>
#include <string>

#include "base/loop.h"
#include "kingpost/monitor.h"
#include "wire/direct_calls.h"
#include "wire/grpc_server.h"

namespace kingpost {

struct MonitorServerOptions {
  std::string working_directory;  // to which paths of assets are relative
  std::string unix_path;          // where to listen; "": on a port
  GuardedPort::OnRefused on_refused = nullptr;
};

class MonitorServer {
 public:
  // The monitor is not called after Stop has begun; calls of it that still run then are left to it to end.
  MonitorServer(Loop& loop, Monitor* monitor, MonitorServerOptions options = {});
  ~MonitorServer();
  MonitorServer(const MonitorServer&) = delete;

  // Listens from now on. The address: "unix:///...", or "127.0.0.1:PORT". A second time: the same again.
  Result<std::string> Start();
  Result<std::string> OpenPort();  // see GrpcServer
  // For a program in this process; works whether or not anything listens.
  DirectCall direct() const;
  // Waiting calls fail with Unavailable, which SDKs take as a quiet end; then nothing listens any more.
  Task<void> Stop();
  size_t calls_in_flight() const;
  // How far the program came with its root stack, which SDKs register first and whose outputs they register last.
  bool has_stack() const;
  bool has_stack_outputs() const;
  // It said that it is done. Older SDKs do not.
  bool has_signalled() const;

 private:
  class Service;
  struct Core;

  std::shared_ptr<Core> core_;
  std::unique_ptr<Service> service_;
  GrpcServer server_;
  MonitorServerOptions options_;
  std::string address_;  // once it listens
};

}  // namespace kingpost
