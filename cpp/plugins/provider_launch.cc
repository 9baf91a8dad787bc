// SPDX-License-Identifier: Apache-2.0
#include "plugins/provider_launch.h"

#include <filesystem>

#include "model/dynamic_provider.h"
#include "model/version_range.h"

namespace kingpost {

namespace {

// Blocking; any thread.
Result<PreparedProvider> PrepareProvider(const ProviderQuery& query) {
  auto found = FindPlugin(query.plugin, query.discovery);
  if (!found.ok() && IsDynamicProvider(query.plugin.name)) {
    auto spec = LaunchDynamicProvider(query.plugin.name, query.runtime_options, query.program_folder, query.context);
    if (!spec.ok()) return spec.status().Wrap("cannot start the dynamic provider " + query.plugin.name);
    const std::string path = spec->argv[0];
    return PreparedProvider{{std::move(*spec)}, path, path, query.program_folder};
  }
  if (!found.ok()) return found.status();
  MarkPluginUsed(*found);
  if (found->is_directory) {
    const auto description = ReadPluginDescription(found->path);
    if (description.ok() && description->runtime == "yaml") {
      const Status fits = RequirePulumiVersion(description->required_version);
      if (!fits.ok()) return fits;
      PreparedProvider in_process;
      in_process.path = in_process.yaml_folder = found->path;
      return in_process;
    }
  }
  auto launch = LaunchProvider(*found, query.context);
  if (!launch.ok()) return launch.status().Wrap("failed to load plugin " + found->path);
  const std::string directory =
      found->is_directory ? found->path : std::filesystem::path(found->path).parent_path().string();
  const std::string program = found->is_directory ? found->path + "/" + found->executable : found->path;
  PreparedProvider prepared{std::move(*launch), found->path, program, directory, query.context.debugger};
  prepared.is_on_path = found->is_on_path;
  prepared.version = found->version;
  return prepared;
}

// Once it is built: another process might take the port during the build.
Status StartUnderDelve(const std::string& name, PreparedProvider* prepared) {
  Result<Debugger> debugger = GoDebugger(DebuggedPlugin(name));
  if (!debugger.ok()) return debugger.status();
  prepared->launch.spec.argv = WrapInDelve(*debugger, prepared->launch.spec.argv);
  *prepared->debugger = std::move(*debugger);
  return Status::Ok();
}

Task<Result<PreparedProvider>> Complete(PluginAcquisition& acquisition, Result<PreparedProvider> prepared,
                                        DiscoveryOptions places, std::string name) {
  if (!prepared.ok()) co_return prepared;
  auto completing = acquisition.Complete(&prepared->launch, std::move(places), "plugin " + name);
  Status complete = co_await std::move(completing);
  if (complete.ok() && prepared->launch.debugs_go) complete = StartUnderDelve(name, &*prepared);
  if (!complete.ok()) co_return complete.Wrap("failed to load plugin " + prepared->path);
  co_return prepared;
}

}  // namespace

Result<PreparedProvider> PrepareInstalled(const ProviderQuery& query, std::optional<int64_t> since) {
  if (since && IsOtherVersionInstalledSince(query.plugin, query.discovery, *since)) {
    return Status(Code::kUnavailable, "another version of " + query.plugin.name + " has been installed");
  }
  Result<PreparedProvider> prepared = PrepareProvider(query);
  if (!prepared.ok()) return prepared;
  const PluginLaunch& launch = prepared->launch;
  const bool as_it_is = launch.go_folder.empty() && launch.language.empty() && prepared->yaml_folder.empty();
  if (as_it_is) return prepared;
  return Status(Code::kUnavailable, prepared->path + " takes more than to start a process");
}

PluginSpec PluginOf(const ProviderSpec& spec) {
  return {"resource", spec.name, spec.version, spec.download_url, spec.checksums};
}

Task<Result<PreparedProvider>> PrepareOrInstall(WorkerPool& workers, PluginAcquisition& acquisition,
                                                ProviderQuery query, PluginSpec plugin) {
  auto prepare = [query] { return PrepareProvider(query); };
  auto prepared = co_await workers.Run(prepare);
  const bool missing = !prepared.ok() && prepared.status().detail<MissingPlugin>();
  if (!missing || !PluginAcquisition::IsAutomatic()) {
    auto completing = Complete(acquisition, std::move(prepared), query.discovery, plugin.name);
    co_return co_await std::move(completing);
  }
  auto installing = acquisition.Install(plugin);
  const Status installed = co_await std::move(installing);
  if (!installed.ok()) co_return AutomaticInstallFailed(plugin, installed);
  auto looking = workers.Run(prepare);
  auto found = co_await std::move(looking);
  auto completing = Complete(acquisition, std::move(found), query.discovery, plugin.name);
  co_return co_await std::move(completing);
}

}  // namespace kingpost
