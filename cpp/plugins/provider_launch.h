// SPDX-License-Identifier: Apache-2.0
// The way of a provider from what a resource asks for to the command that starts it: found, or installed and then
// found.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/loop.h"
#include "kingpost/plugin_host.h"
#include "plugins/plugin_acquisition.h"
#include "plugins/plugin_discovery.h"
#include "plugins/plugin_launch.h"

namespace kingpost {

struct ProviderQuery {
  PluginQuery plugin;
  DiscoveryOptions discovery;
  LaunchContext context;
  RuntimeOptions runtime_options;  // the program's
  std::string program_folder;
};

// The data to start it, once the file system has been asked.
struct PreparedProvider {
  PluginLaunch launch;
  std::string path;       // for messages
  std::string program;    // the same, of the executable: one that a plugin in source form would have
  std::string directory;  // for Handshake
  std::shared_ptr<Debugger> debugger = nullptr;
  std::string yaml_folder = {};  // of a plugin in YAML, which needs no process
  bool is_on_path = false;       // see FoundPlugin
  std::string version = {};      // the same
};

// Only for a plugin that exists and can be started as it is; fetches and builds nothing, and reports nothing. Given a
// time in seconds since 1970, it refuses a plugin of which another version has been installed since. Blocking; any
// thread.
Result<PreparedProvider> PrepareInstalled(const ProviderQuery& query, std::optional<int64_t> since);

PluginSpec PluginOf(const ProviderSpec& spec);

// Installs the plugin on the way if it is missing. The pool and the acquisition outlive the task. Loop thread.
Task<Result<PreparedProvider>> PrepareOrInstall(WorkerPool& workers, PluginAcquisition& acquisition,
                                                ProviderQuery query, PluginSpec plugin);

}  // namespace kingpost
