// SPDX-License-Identifier: Apache-2.0
// Installs plugins outside of an operation, with their progress in a line of the terminal. Main thread.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"
#include "plugins/plugin_acquisition.h"
#include "plugins/plugin_discovery.h"
#include "plugins/plugin_launch.h"
#include "plugins/plugin_source.h"

namespace kingpost {

// Into the cache, the latest version of what has none. One that is there stays, unless it is to be installed anew.
Status InstallPlugins(Session& session, std::vector<PluginSpec> plugins, const InstallOptions& options,
                      int side_by_side);

// Where the plugin is in the cache, in which it is afterwards.
Result<FoundPlugin> FetchPlugin(Session& session, PluginSpec plugin);

// Builds or finds the program that it lacks yet; `what` is for people: "plugin random".
Status CompleteLaunch(Session& session, PluginLaunch* launch, const std::string& what);

}  // namespace kingpost
