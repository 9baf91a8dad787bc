// SPDX-License-Identifier: Apache-2.0
// PluginHost: everything outside the engine that is a process or a server: providers, policy packs, the language
// host, callbacks, and the address at which programs reach the monitor. A seam: wire/ implements it with real
// processes; tests and the Python module implement it in process. Engine thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kingpost/analyzer.h"
#include "kingpost/callbacks.h"
#include "kingpost/monitor.h"
#include "kingpost/provider.h"

namespace kingpost {

// A package that the program's own dependencies name (rows 2.11, 9.7).
struct RequiredPackage {
  std::string name, kind, version, download_url;
  std::map<std::string, std::string> checksums;
  std::optional<Parameterization> parameterization;  // then `name` and `version` are those of the base plugin
};

struct RunRequest {
  DeploymentInfo info;
  std::string monitor_address;
};
struct RunResponse {
  std::string error;  // "" if the program ended well
  bool bail = false;  // the program has reported its failure itself
  // Registrations that a program did not reach although it ended well, such as "the outputs of its stack"; "" if none.
  std::string missing;
};

class LanguageHost {
 public:
  virtual ~LanguageHost() = default;
  virtual Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() = 0;
  // Runs the program to its end. A failed Status means that the host itself failed.
  virtual Task<Result<RunResponse>> Run(RunRequest request) = 0;
  virtual Task<void> Cancel() = 0;
};
using LanguageHostPtr = std::shared_ptr<LanguageHost>;

struct AnalyzerSpec {
  std::string path;         // a directory with PulumiPolicy.yaml, or an executable
  std::string config_path;  // JSON file of its configuration, or ""
  std::string stack, project, organization;
  bool dry_run = false;
  std::map<std::string, std::string> config;
  std::vector<std::string> config_secret_keys;
};

class PluginHost {
 public:
  virtual ~PluginHost() = default;
  // Installs those of the packages' plugins that are missing. The loader of a plugin gets the error if it cannot be
  // installed.
  virtual Task<void> InstallPlugins(std::vector<RequiredPackage>) { co_return; }
  // A new instance, after Handshake; not configured. Errors name the plugin and the remedy.
  virtual Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) = 0;
  // The schema of a package, as JSON, without keeping its provider. Only snippets ask for it.
  virtual Task<Result<std::string>> LoadSchema(ProviderSpec, std::optional<Parameterization>) {
    co_return Status(Code::kUnimplemented, "no schemas are to be had here, which snippets need");
  }
  virtual Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) = 0;
  virtual Task<Result<LanguageHostPtr>> LoadLanguageHost() = 0;  // of the project's runtime
  virtual Callbacks& callbacks() = 0;

  // Serves the monitor until StopMonitor; answers its address for RunRequest, Construct and Call.
  virtual Task<Result<std::string>> ServeMonitor(Monitor* monitor) = 0;
  // Fails waiting calls with Unavailable and serves no more.
  virtual Task<void> StopMonitor() = 0;
  // The receiver of Log, PublishViewSteps and so on. Set before the first plugin starts.
  virtual void set_engine_service(EngineService* service) = 0;
  virtual std::string resource_status_address() = 0;

  // Cancel to every plugin, analyzer and language host, with a budget of 30 s.
  virtual Task<void> SignalCancellation() = 0;
  // Ends every process that was started, also those that do not answer. Processes have five seconds to end by
  // themselves, or half a second after ShortenShutdown, which a user asks for by a second signal.
  virtual Task<void> Close() = 0;
  virtual void ShortenShutdown() {}
  // True if this process ends right after Close. A stopped run then leaves the program's calls unanswered, so that
  // the program sees its connection end, rather than an answer on which it would act.
  virtual bool ends_with_process() const { return false; }
};

}  // namespace kingpost
