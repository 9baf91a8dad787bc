// The plugins, policy packs and programs of an operation as real processes. The one place of the command that knows
// rpc/grpc_host.h, whose headers are heavy.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/loop.h"
#include "kingpost/plugin_host.h"
#include "workspace/project.h"

namespace kingpost {

// client: "host:port" of a running language host, or "" to start one for the project's runtime. `config` is decrypted,
// for providers that read it from their environment.
Result<std::unique_ptr<PluginHost>> NewProcessHost(Loop& loop, const Project& project, const std::string& client,
                                                   const std::map<std::string, ConfigValue>& config);

}  // namespace kingpost
