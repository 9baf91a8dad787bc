// SPDX-License-Identifier: Apache-2.0
// The services of the engine to programs and plugins besides registrations, on one address (rows 3.47, 9.8 and 9.9):
//   Engine           log messages, the root resource, debuggers, the version that a program demands
//   ResourceStatus   steps of views, published by providers
//   Loader           schemas of packages        Mapper            names of other ecosystems: none are known here
//   PackageResolver  what a package spec means  Health            that we are still here
// Owns the server; Start, Stop and the destructor run on the loop thread, on which the functions given are called.
#pragma once

#include "wire/wire.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/monitor.h"
#include "wire/direct_calls.h"
#include "wire/grpc_server.h"

namespace kingpost {

struct SchemaQuery {
  std::string package, version, download_url;
  std::optional<Parameterization> parameterization;
};
// Loads the package's provider and answers its schema, a JSON text.
using LoadSchema = std::function<Task<Result<std::string>>(SchemaQuery)>;

struct EngineServerOptions {
  LoadSchema load_schema;  // null: GetSchema is not offered
  std::string unix_path;   // where to listen; "": on a port
  GuardedPort::OnRefused on_refused = nullptr;
};

class EngineServer {
 public:
  // The service is not called after Stop has begun.
  EngineServer(Loop& loop, EngineService* service, EngineServerOptions options = {});
  ~EngineServer();
  EngineServer(const EngineServer&) = delete;

  // Listens from now on. The address: "unix:///...", or "127.0.0.1:PORT". A second time: the same again.
  Result<std::string> Start();
  const std::string& address() const { return address_; }  // the same again
  Result<std::string> OpenPort();                          // see GrpcServer
  // The part of Engine that a program in this process needs; works whether or not anything listens.
  DirectCall direct() const;
  Task<void> Stop();

 private:
  struct Core;
  struct Services;

  std::shared_ptr<Core> core_;
  std::unique_ptr<Services> services_;
  GrpcServer server_;
  EngineServerOptions options_;
  std::string address_;
};

}  // namespace kingpost
