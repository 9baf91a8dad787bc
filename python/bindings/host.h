// SPDX-License-Identifier: Apache-2.0
// The plugin host of the Python module: providers, policies and the program that are Python objects of this process;
// everything else (plugins on disk, servers, callbacks) as in the command. Loop thread.
#pragma once

#include "rpc/wire.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python_object.h"
#include "rpc/grpc_host.h"

namespace kingpost::python {

// What the user gave, each behind its bridge of kingpost/_bridge.py.
struct PythonParts {
  SharedObject program;
  std::map<std::string, SharedObject> providers;               // by package; "*" serves those without
  std::vector<std::pair<std::string, SharedObject>> policies;  // by name
  int threads = 4;                                             // for providers and policies
};

// The path of policy number i in Operation::options.policy_packs.
std::string PolicyPath(size_t index);

// What starts the processes of all hosts, for the life of this process. It forks when first asked for, so ask before
// anything uses gRPC: its fork handlers, grpcio's among them, may wait for ever for its threads.
Result<std::shared_ptr<ProcessSupervisor>> SharedSupervisor();

Result<std::unique_ptr<PluginHost>> NewPythonHost(std::shared_ptr<Loop> loop, PythonParts parts,
                                                  GrpcHostOptions options);

}  // namespace kingpost::python
