// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/plugin_installer.h"

#include <unistd.h>

#include "cli/packages/package_source.h"
#include "console/display/downloads.h"
#include "console/display/output.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

// The progress of all downloads in one line of the terminal.
class ProgressLine {
 public:
  void Show(const ProgressEvent& event) {
    downloads_.Apply(event);
    if (!IsTerminal(STDERR_FILENO)) return;
    const std::vector<std::string> lines = downloads_.Lines(SizeOf(STDERR_FILENO).columns - 1);
    Output(STDERR_FILENO).Write("\r\x1b[K" + (lines.empty() ? "" : lines.front()));
  }

 private:
  Downloads downloads_;
};

// The installer and its helpers.
struct Installer {
  static Result<std::unique_ptr<Installer>> Make(Session& session, int side_by_side) {
    auto supervisor = ProcessSupervisor::Start();
    if (!supervisor.ok()) return supervisor.status();
    return std::unique_ptr<Installer>(new Installer(session, *supervisor, side_by_side));
  }

  Session& session;
  Loop loop;
  ProgressLine line;
  DiscoveryOptions cache;
  PluginAcquisition acquisition;

 private:
  // Only the cache counts: what is elsewhere may be gone tomorrow.
  static DiscoveryOptions CacheAlone() {
    DiscoveryOptions cache;
    cache.cache_folder = DiscoveryOptions::FromEnvironment(Project()).cache_folder;
    cache.search_path = false;
    return cache;
  }
  Installer(Session& owner, std::shared_ptr<ProcessSupervisor> supervisor, int side_by_side)
      : session(owner), cache(CacheAlone()), acquisition(loop, Options(std::move(supervisor), side_by_side)) {}

  AcquisitionOptions Options(std::shared_ptr<ProcessSupervisor> supervisor, int side_by_side) {
    AcquisitionOptions options;
    options.cache_folder = cache.cache_folder;
    options.supervisor = std::move(supervisor);
    options.side_by_side = side_by_side;
    options.on_progress = [this](const ProgressEvent& event) { line.Show(event); };
    options.on_retry = [this](const std::string& text) { session.Warn(text); };
    return options;
  }
};

std::string LabelOf(const PluginSpec& spec) { return "[" + spec.kind + " plugin " + spec.id() + "]"; }

Result<FoundPlugin> FindIn(const DiscoveryOptions& cache, const PluginSpec& spec) {
  return FindPlugin({spec.kind, spec.name, spec.version, spec.download_url}, cache);
}

Task<Result<FoundPlugin>> InstallOne(Installer* installer, PluginSpec spec, InstallOptions options) {
  if (spec.version.empty()) {
    auto asking = installer->acquisition.LatestVersion(spec);
    auto latest = co_await std::move(asking);
    if (!latest.ok()) co_return latest.status().Wrap("could not get latest version for plugin " + spec.name);
    spec.version = *latest;
  }
  if (!options.reinstall) {
    auto found = FindIn(installer->cache, spec);
    if (found.ok()) co_return found;
  }
  installer->session.Note(LabelOf(spec) + " installing");
  auto installing = installer->acquisition.Install(spec, options);
  const Status status = co_await std::move(installing);
  if (status.ok()) co_return FindIn(installer->cache, spec);
  if (!options.file.empty()) co_return status.Wrap("installing " + LabelOf(spec) + " from " + options.file);
  co_return status.Wrap(LabelOf(spec) +
                        (spec.download_url.empty() ? "" : " downloading from " + PrintableUrl(spec.download_url)));
}

Task<void> Keep(Task<Result<FoundPlugin>> task, Status* first) {
  const auto found = co_await std::move(task);
  if (first->ok()) *first = found.status();
}

Task<Status> InstallAll(Installer* installer, std::vector<PluginSpec> plugins, InstallOptions options) {
  Group group(installer->loop);
  Status first;
  for (PluginSpec& spec : plugins) group.Spawn(Keep(InstallOne(installer, std::move(spec), options), &first));
  co_await group.Wait();
  co_return first;
}

}  // namespace

Status InstallPlugins(Session& session, std::vector<PluginSpec> plugins, const InstallOptions& options,
                      int side_by_side) {
  auto installer = Installer::Make(session, side_by_side);
  if (!installer.ok()) return installer.status();
  return (*installer)->loop.RunUntilDone(InstallAll(installer->get(), std::move(plugins), options));
}

Result<FoundPlugin> FetchPlugin(Session& session, PluginSpec plugin) {
  auto installer = Installer::Make(session, 1);
  if (!installer.ok()) return installer.status();
  return (*installer)->loop.RunUntilDone(InstallOne(installer->get(), std::move(plugin), InstallOptions()));
}

Status CompleteLaunch(Session& session, PluginLaunch* launch, const std::string& what) {
  auto installer = Installer::Make(session, 1);
  if (!installer.ok()) return installer.status();
  const DiscoveryOptions places = DiscoveryOptions::FromEnvironment(ProjectOrNone(session));
  return (*installer)->loop.RunUntilDone((*installer)->acquisition.Complete(launch, places, what));
}

}  // namespace kingpost
