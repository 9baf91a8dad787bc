// SPDX-License-Identifier: Apache-2.0
// The plugins, policy packs and programs of an operation as real processes. The one place of the command that knows
// wire/grpc_host.h, whose headers are heavy.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/plugin_host.h"
#include "workspace/plain_config.h"
#include "workspace/project.h"

namespace kingpost {

class PackageHost;
class ProcessSupervisor;
struct StandbyProgram;

struct ProcessHostOptions {
  std::string client;                         // "host:port" of a running language host; "" to start the project's own
  std::map<std::string, ConfigValue> config;  // decrypted, for providers that read it from their environment
  bool wants_debug_messages = false;          // of the program: they are shown or recorded
  std::vector<std::string> attach_debugger;   // what is started under a debugger
  std::vector<std::string> log_flags;         // for plugins: --logflow
  bool lives_on = false;                      // this process, after the host has been closed
  std::function<Task<Result<std::string>>(ProviderSpec, std::optional<Parameterization>)> load_schema;
  // The processes that were started before (GrpcHostOptions); null for none.
  std::shared_ptr<ProcessSupervisor> supervisor;
  std::shared_ptr<StandbyProgram> standby;
};
// Forks: early, before there are threads.
Result<std::shared_ptr<ProcessSupervisor>> StartSupervisor();
Result<std::unique_ptr<PackageHost>> NewProcessHost(Loop& loop, const Project& project,
                                                    const ProcessHostOptions& wanted);

}  // namespace kingpost
