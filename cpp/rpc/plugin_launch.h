// SPDX-License-Identifier: Apache-2.0
// How a plugin that was found is started (rows 8.1, 9.1). Reads the plugin's description; any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "rpc/debugger.h"
#include "rpc/plugin_discovery.h"
#include "rpc/process_reaper.h"
#include "rpc/script_runtimes.h"

namespace kingpost {

struct LaunchContext {
  std::string engine_address;
  std::string working_directory;                   // the project's
  std::map<std::string, std::string> environment;  // over ours
  std::vector<std::string> log_flags;              // --logflow: before the engine's address
  // Not null: what is in source form is started under a debugger, which is then told here.
  std::shared_ptr<Debugger> debugger;
};

// What the PulumiPlugin.yaml of a plugin in source form says.
struct PluginDescription {
  std::string runtime;
  std::string required_version;  // of this program: requiredPulumiVersion
  RuntimeOptions options;
};
Result<PluginDescription> ReadPluginDescription(const std::string& folder);

struct PluginLaunch {
  ProcessSpec spec;
  // Not "": sources in Go. The program that is built from them takes the first place in spec.argv, which is empty.
  std::string go_folder = {};
};

// An executable, or a directory with a PulumiPlugin.yaml in Python, Node.js or Go.
Result<PluginLaunch> LaunchProvider(const FoundPlugin& plugin, const LaunchContext& context);
// The same with arguments of the user's.
Result<PluginLaunch> LaunchTool(const FoundPlugin& plugin, const std::vector<std::string>& arguments,
                                const LaunchContext& context);

// The dynamic providers of the SDKs need no plugin: they run with the program's own Python or Node.js.
Result<ProcessSpec> LaunchDynamicProvider(const std::string& name, const RuntimeOptions& options,
                                          const std::string& program_folder, const LaunchContext& context);

struct PolicyPack {
  std::string folder;                      // of its PulumiPolicy.yaml, or of the executable
  std::string executable;                  // "" if a language runtime runs it
  std::string module;                      // of Python in the folder, whose policies the package kingpost serves, or ""
  std::string name, version, description;  // of PulumiPolicy.yaml, if there is one
  std::string runtime;
  std::string required_version;  // of this program: requiredPulumiVersion
  RuntimeOptions options;
};
Result<PolicyPack> LoadPolicyPack(const std::string& path);
Result<PluginLaunch> LaunchPolicyPack(const PolicyPack& pack, const LaunchContext& context);

}  // namespace kingpost
