// SPDX-License-Identifier: Apache-2.0
// How a plugin that was found is started (rows 8.1, 9.1). Reads the plugin's description; any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "plugins/plugin_discovery.h"
#include "processes/process_reaper.h"
#include "runtimes/debugger.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

struct LaunchContext {
  std::string engine_address;
  std::string working_directory;                   // the project's
  std::map<std::string, std::string> environment;  // over ours
  std::vector<std::string> log_flags;              // --logflow: before the engine's address
  // Not null: what is in source form is started under a debugger, which is then told here.
  std::shared_ptr<Debugger> debugger = nullptr;
  // For a project in Python, "" otherwise: a module of policies runs with the interpreter of the program that it
  // checks.
  std::string python_project = "";
  RuntimeOptions python_options = {};
};

// The contents of the PulumiPlugin.yaml of a plugin in source form.
struct PluginDescription {
  std::string runtime;
  std::string required_version;  // of this program: requiredPulumiVersion
  RuntimeOptions options;
};
Result<PluginDescription> ReadPluginDescription(const std::string& folder);

struct PluginLaunch {
  ProcessSpec spec;
  // Not "": sources in Go, of which a program is built; or in a language that we do not know, whose plugin is found.
  // Either program's place in spec.argv is empty until then (PluginAcquisition::Complete).
  std::string go_folder = {}, language = {};
  bool debugs_go = false;  // the program is to be built for a debugger, and started under it (PrepareOrInstall)
};

// An executable, or a directory with a PulumiPlugin.yaml.
Result<PluginLaunch> LaunchProvider(const FoundPlugin& plugin, const LaunchContext& context);
// The same for a plugin of any kind ("tool"), with arguments of the user's.
Result<PluginLaunch> LaunchTool(const FoundPlugin& plugin, const std::string& kind,
                                const std::vector<std::string>& arguments, const LaunchContext& context);

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
