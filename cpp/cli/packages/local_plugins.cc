// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/local_plugins.h"

#include <unistd.h>

#include <filesystem>
#include <set>

#include "cli/packages/project_packages.h"
#include "cli/session/exit_code.h"
#include "cli/session/foreground.h"
#include "plugins/plugin_dependencies.h"
#include "workspace/local_packages.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kPluginFile[] = "PulumiPlugin.yaml";

Status InstallLocalPlugin(Session& session, const Project& plugin) {
  const SdkDestination home = SdkDestinationOf(plugin);
  for (const auto& [name, spec] : plugin.packages) {
    const auto added = AddSdk(session, home, {name, {}, "", ""});
    if (!added.ok()) return added.status().Wrap("package '" + name + "' of the plugin in " + home.folder);
  }
  const auto steps = PluginDependencySteps(home.folder);
  if (!steps.ok()) return steps.status();
  if (!steps->empty()) session.Note("Installing the packages of the plugin in " + home.folder + "...");
  for (const DependencyStep& step : *steps) {
    if (const Status done = RunStepInForeground(step, STDERR_FILENO); !done.ok()) return done;
  }
  return Status::Ok();
}

// "cycle found: ../a -> ../b -> ../a", as seen from here.
Status CycleFound(const std::vector<std::string>& cycle) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  std::string text;
  for (const std::string& path : cycle) {
    text += (text.empty() ? "" : " -> ") + fs::path(path).lexically_relative(here).string();
  }
  return Fail(ExitCode::kFailed, "cycle found: " + text);
}

}  // namespace

Status InstallLocalPlugins(Session& session, const Project& project) {
  const LocalPackages local = FindLocalPackages(project);
  if (!local.cycle.empty()) return CycleFound(local.cycle);
  std::set<std::string> installed;
  for (const LocalPackage& package : local.packages) {
    const fs::path file = fs::path(package.path) / kPluginFile;
    std::error_code error;
    if (!fs::exists(file, error) || !installed.insert(package.path).second) continue;
    const auto plugin = Project::LoadPlugin(file.string());
    if (!plugin.ok()) return plugin.status();
    if (const Status done = InstallLocalPlugin(session, *plugin); !done.ok()) return done;
  }
  return Status::Ok();
}

Status InstallPluginFolder(Session& session, const std::string& folder) {
  const auto plugin = Project::LoadPlugin((fs::path(folder) / kPluginFile).string());
  if (!plugin.ok()) return plugin.status();
  const Status below = InstallLocalPlugins(session, *plugin);
  return below.ok() ? InstallLocalPlugin(session, *plugin) : below;
}

}  // namespace kingpost
