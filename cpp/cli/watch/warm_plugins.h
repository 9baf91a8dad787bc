// SPDX-License-Identifier: Apache-2.0
// Processes that stay up between the previews of a watch, and those that are started ahead for the next one:
//
//                        while nothing happens               in a run
//     interpreter        imports the SDK, waits              becomes the program: one for each run
//     providers          stay configured (provider_pool.h)  given out again
//     dynamic ones       started anew and greeted            configured: one for each run
//     schemas            kept with their plugin's files      given out again
//
// Where the project's file or the stack's configuration changes, of which plugins learn by their environment, all are
// started anew. Loop thread, on which blocking calls are made only between runs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "cli/operations/early_processes.h"
#include "cli/packages/process_host.h"
#include "cli/watch/provider_pool.h"

namespace kingpost {

class WarmPlugins {
 public:
  explicit WarmPlugins(Loop& loop) : loop_(loop) {}
  ~WarmPlugins();  // ends them all
  WarmPlugins(const WarmPlugins&) = delete;

  // The host of the next run, which may use all that is kept. Between runs.
  Result<std::unique_ptr<PluginHost>> MakeHost(const Project& project, const ProcessHostOptions& wanted);
  // After a run and before the next: ends what is of no use any more, and begins what the next run will want. It comes
  // up while the loop runs.
  void Prepare(Session& session, const OperationFlags& flags);
  // The processes that were started for the next run, for one that is made without MakeHost.
  EarlyProcesses TakeEarly();
  // The run under way is given up because a newer one is wanted: the kept providers hear nothing of that, and stay.
  void LeaveProvidersRunning() { left_alone_ = true; }
  // For a run that must see the real world: it reuses nothing.
  void Forget();

 private:
  friend class WarmHost;
  struct Settings {
    std::string project_file, project_text;
    ProcessHostOptions wanted;
  };

  std::optional<std::string> FingerprintOf(const ProviderSpec& spec) const;
  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization);
  static bool IsSame(const Settings& one, const Settings& other);
  Result<std::unique_ptr<PackageHost>> Begin(const Project& project, ProcessHostOptions wanted);
  Status BeginNext(const Project& project, ProcessHostOptions wanted);
  void End(std::unique_ptr<PackageHost> host);
  void DropNext();

  Loop& loop_;
  std::optional<Settings> settings_;
  std::optional<Project> project_;
  std::unique_ptr<PackageHost> lasting_;  // the providers' host
  std::unique_ptr<ProviderPool> kept_;
  std::map<std::string, std::string> schemas_;  // by spec and files
  std::vector<ProviderSpec> passing_;           // providers of the last run that are not kept
  bool left_alone_ = false;                     // by the run under way
  EarlyProcesses early_;
  std::unique_ptr<PackageHost> next_;  // for the next run, with these settings
};

}  // namespace kingpost
