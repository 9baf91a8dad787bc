// The plugins, policy packs and programs of an operation as real processes.
#pragma once

#include <memory>
#include <string>

#include "base/loop.h"
#include "kingpost/plugin_host.h"
#include "kingpost/state_store.h"
#include "workspace/project.h"

namespace kingpost {

// client: "host:port" of a running language host, or "" to start one for the project's runtime. The project must
// outlive the host.
Result<std::unique_ptr<PluginHost>> NewProcessHost(Loop& loop, const Project& project, const StackName& stack,
                                                   const std::string& client);

}  // namespace kingpost
