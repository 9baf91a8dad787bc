// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/project_plugins.h"

#include "cli/packages/plugin_installer.h"
#include "cli/packages/process_host.h"
#include "cli/session/plugin_listener.h"
#include "model/dynamic_provider.h"
#include "plugins/plugin_discovery.h"
#include "wire/package_host.h"

namespace kingpost {

namespace {

Task<Result<std::vector<RequiredPackage>>> AskLanguage(PluginHost* host) {
  auto loading = host->LoadLanguageHost();
  auto language = co_await std::move(loading);
  if (!language.ok()) co_return language.status();
  auto asking = (*language)->GetRequiredPackages();
  auto packages = co_await std::move(asking);
  auto closing = host->Close();
  co_await std::move(closing);
  co_return packages;
}

Result<std::vector<PluginSpec>> ProjectPlugins(Session& session, Loop& loop) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  auto host = NewProcessHost(loop, **project, {});
  if (!host.ok()) return host.status();
  PluginListener listener(session);
  (*host)->set_engine_service(&listener);
  auto packages = loop.RunUntilDone(AskLanguage(host->get()));
  if (!packages.ok()) return packages.status().Wrap("failed to discover plugin requirements");
  std::vector<PluginSpec> plugins;
  for (const RequiredPackage& package : *packages) {
    PluginSpec spec = {package.kind, package.name, package.version, package.download_url, package.checksums};
    if (!IsBuiltIn(spec)) plugins.push_back(std::move(spec));
  }
  return plugins;
}

// The folders of `plugins` in Pulumi.yaml stand beside the program: nothing has to be fetched.
void LeaveOutLocal(const Project& project, std::vector<PluginSpec>* plugins) {
  DiscoveryOptions local = DiscoveryOptions::FromEnvironment(project);
  local.cache_folder.clear();
  local.program_folder.clear();
  local.search_path = false;
  std::erase_if(*plugins, [&](const PluginSpec& spec) {
    return FindPlugin({spec.kind, spec.name, spec.version}, local).ok();
  });
}

}  // namespace

bool IsBuiltIn(const PluginSpec& spec) {
  const std::string& name = spec.name;
  if (spec.kind == "language") return name == "nodejs" || name == "python" || name == "go" || name == "yaml";
  return spec.kind == "resource" && (name == "pulumi" || IsDynamicProvider(name));
}

Result<std::vector<PluginSpec>> RequiredPlugins(Session& session) {
  Loop loop;
  return ProjectPlugins(session, loop);
}

Status InstallProjectPlugins(Session& session, bool reinstall, int parallel) {
  Loop loop;
  auto needed = ProjectPlugins(session, loop);
  if (!needed.ok()) return needed.status();
  LeaveOutLocal(**session.project(), &*needed);
  return InstallPlugins(session, std::move(*needed), {reinstall, ""}, parallel);
}

}  // namespace kingpost
