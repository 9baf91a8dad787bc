// SPDX-License-Identifier: Apache-2.0
// Downloads and installs plugins (row 2.18): several side by side, the same one once. A plugin in source form gets what
// it depends on, and is built where its language asks for that. Owns a few worker threads, from the first installation
// or build on. Loop thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/event.h"
#include "plugins/plugin_discovery.h"
#include "plugins/plugin_installation.h"
#include "plugins/plugin_launch.h"
#include "plugins/plugin_repository.h"
#include "processes/process_supervisor.h"
#include "processes/program_runner.h"
#include "runtimes/go_builds.h"

namespace kingpost {

struct AcquisitionOptions {
  std::string cache_folder;                              // $PULUMI_HOME/plugins
  std::shared_ptr<ProcessSupervisor> supervisor;         // runs the installers of dependencies
  int side_by_side = 4;                                  // installations; below one: as many as there are
  std::function<void(ProgressEvent event)> on_progress;  // may be null
  std::function<void(std::string text)> on_retry;        // may be null
};

// The choices of a user who installs by hand.
struct InstallOptions {
  bool reinstall = false;
  std::string file;  // a program, a folder or an archive, instead of a download
};

class PluginAcquisition {
 public:
  PluginAcquisition(Loop& loop, AcquisitionOptions options);
  ~PluginAcquisition();  // ends what is under way
  PluginAcquisition(const PluginAcquisition&) = delete;

  // True unless PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION forbids to install what nobody asked for by name.
  static bool IsAutomatic();

  // The plugin is in the cache afterwards, in its latest version if `spec` names none. A second request waits for the
  // first, or gets its answer if that came already.
  Task<Status> Install(PluginSpec spec, InstallOptions options = {});
  // The latest version that the plugin's source knows of.
  Task<Result<std::string>> LatestVersion(PluginSpec spec);
  // The program of Go sources, for which see runtimes/go_builds.h.
  Task<Result<std::string>> Build(std::string folder, std::string what, GoBuild build = GoBuild::kDefault);
  // The program pulumi-language-NAME; installed if it is missing, and may be.
  Task<Result<std::string>> LanguagePlugin(std::string name, DiscoveryOptions places);
  // Gives the launch, which outlives the task, the program that it lacks: one of these two. `what` is for people.
  Task<Status> Complete(PluginLaunch* launch, DiscoveryOptions places, std::string what);

  // Installations end, and none begins any more.
  void Cancel();

 private:
  struct Pending {
    explicit Pending(Loop& loop) : done(loop) {}
    Event done;
    Status status;
  };
  using Installation = std::shared_ptr<PluginInstallation>;

  Task<Status> InstallOnce(PluginSpec spec, InstallOptions options);
  Task<Status> FillFrom(PluginRepository repository, RepositoryVersion version, std::string id, std::string folder);
  Task<Result<RepositoryVersion>> VersionIn(PluginRepository repository, std::string version);
  Task<Status> InstallDependencies(std::string id, std::string folder);
  Task<Status> RunInstaller(std::shared_ptr<ProgramRunner> runner, ProcessSpec command);
  DownloadContext Context();
  WorkerPool& workers();

  std::shared_ptr<ProgramRunner> NewRunner(std::string name);

  Loop& loop_;
  const AcquisitionOptions options_;
  GoBuilds go_builds_;
  std::atomic<bool> cancelled_{false};
  std::map<std::string, std::shared_ptr<Pending>> pending_;  // by kind, name, version and URL
  std::vector<std::shared_ptr<ProgramRunner>> runners_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // for what the workers post
  std::unique_ptr<WorkerPool> workers_;                         // last: its threads use what stands above
};

// The error of an installation that the user did not ask for by name: it says how to do so.
Status AutomaticInstallFailed(const PluginSpec& spec, const Status& status);

}  // namespace kingpost
