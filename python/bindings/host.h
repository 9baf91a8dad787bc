// SPDX-License-Identifier: Apache-2.0
// The plugin host of the Python module: providers, policies and the program that are Python objects of this process;
// everything else (plugins on disk, servers, callbacks) as in the command. Loop thread.
#pragma once

#include "wire/wire.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/provider.h"
#include "bindings/python_object.h"
#include "wire/grpc_host.h"

namespace kingpost::python {

// The user's objects, each behind its bridge of kingpost/_bridge.py.
struct PythonParts {
  SharedObject program;                                        // none: the project's own, in its folder
  std::map<std::string, ProviderPart> providers;               // by package; "*" serves those without
  std::vector<std::pair<std::string, SharedObject>> policies;  // packs by name
  double timeout_s = 0;                                        // of each call of a policy; 0: none
  std::shared_ptr<std::atomic<bool>> program_failed = std::make_shared<std::atomic<bool>>(false);  // set by the host
};

// Policy number i as one of Operation::options.policy_packs, and which one such a path is.
AnalyzerSpec PolicyPackOf(size_t index, bool dry_run);
size_t PolicyIndex(const std::string& path);

// The supervisor of the processes of all hosts, for the life of this process. It forks when first asked for, so ask
// before anything uses gRPC: its fork handlers, grpcio's among them, may wait for ever for its threads.
Result<std::shared_ptr<ProcessSupervisor>> SharedSupervisor();

// `expected`: PackageHost::ExpectProviders, without those that are Python objects.
Result<std::unique_ptr<PluginHost>> NewPythonHost(std::shared_ptr<Loop> loop, PythonParts parts,
                                                  GrpcHostOptions options, ExpectedProviders expected);

}  // namespace kingpost::python
