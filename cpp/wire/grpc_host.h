// SPDX-License-Identifier: Apache-2.0
// The plugin host of the command: providers, policy packs and the program as processes. The monitor and the engine's
// services are on sockets in a private folder. Clients that need a port get one that serves only this user. One
// process for each provider instance. Owns the processes, the servers and a few worker threads; everything else runs
// on the loop thread. Make it early: it forks the reaper (processes/process_reaper.h).
#pragma once

#include "wire/wire.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/loop.h"
#include "plugins/plugin_acquisition.h"
#include "plugins/plugin_discovery.h"
#include "plugins/provider_launch.h"
#include "processes/private_folder.h"
#include "processes/process_supervisor.h"
#include "runtimes/language_host.h"
#include "wire/engine_relay.h"
#include "wire/engine_server.h"
#include "wire/grpc_analyzer.h"
#include "wire/grpc_callbacks.h"
#include "wire/grpc_provider.h"
#include "wire/monitor_server.h"
#include "wire/package_host.h"

namespace kingpost {

// Where a program on this machine finds us: sockets in the host's own folder, whose names no other host will ever have.
// A port may have had another owner, of whom gRPC in a process that lives on still thinks ill (python/bindings).
struct ProgramAddresses {
  std::string monitor, engine;  // "unix:///..."
};

class GrpcHost : public PackageHost {
 public:
  static Result<std::unique_ptr<GrpcHost>> Create(Loop& loop, GrpcHostOptions options);
  ~GrpcHost() override;

  void ExpectProviders(const ExpectedProviders& expected, const EarlyWatch& watch) override;
  std::vector<ProviderSpec> loaded_providers() const override { return loaded_; }
  bool is_alive(const Provider* provider) const override;
  Task<void> EndProvider(ProviderPtr provider) override;
  Task<void> InstallPlugins(std::vector<RequiredPackage> packages) override;
  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) override;
  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) override;
  Task<Result<PackageAnswer>> AskSchema(PackageQuestion question) override;
  Task<Result<PackageMapping>> AskMapping(PackageQuestion question, std::string key, std::string provider) override;
  Task<Result<SdkMessages>> GenerateSdk(SdkRequest request) override;
  Task<Result<ProgramAnswer>> GenerateProgram(ProgramRequest request) override;
  Task<Result<SdkMessages>> GenerateProject(ProjectRequest request) override;
  Task<Result<std::string>> LinkSdk(LinkRequest request) override;
  Task<Result<std::string>> LanguageVersion(std::string language) override;
  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override;
  Task<Result<LanguageHostPtr>> LoadLanguageHost() override;
  Callbacks& callbacks() override { return callbacks_; }

  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override;
  Task<void> StopMonitor() override;
  void set_engine_service(EngineService* service) override { relay_.set(service); }
  std::string resource_status_address() override;
  // Once the monitor is served.
  Result<ProgramAddresses> program_addresses();
  // For code in this process: those that are offered by now.
  DirectServices program_services();
  Result<std::string> plugin_address() override { return OpenEnginePort(); }

  Task<void> SignalCancellation() override;
  void ShortenShutdown() override { supervisor_->ShortenStopBudget(); }
  Task<void> Close() override;
  bool ends_with_process() const override { return options_.ends_with_process; }

 private:
  GrpcHost(Loop& loop, GrpcHostOptions options, std::shared_ptr<ProcessSupervisor> supervisor, PrivateFolder folder);

  // The status for calls after the end.
  static Status Closing();
  Status MakeEngineServer();
  Status StartEngineServer();
  // HOST:PORT, for plugins and for hosts that we did not start.
  Result<std::string> OpenEnginePort();
  Result<std::string> OpenMonitorPort();
  GuardedPort::OnRefused ReportRefused();
  std::string MissingRegistration() const;
  // Starts a plugin's process and waits for its port.
  struct EarlyProvider;  // that is begun before anybody asks for it (wire/grpc_host_early.cc)
  Task<Result<PluginConnectionPtr>> Connect(ProcessSpec spec, std::string path, PluginProcessOptions options,
                                            Debugger debugger = Debugger(),
                                            std::shared_ptr<EarlyProvider> early = nullptr);
  void Tell(const Debugger& debugger);
  void ReportIfSlow(const std::shared_ptr<PluginProcess>& process);
  std::unique_ptr<PluginAcquisition> MakeAcquisition();
  Task<void> InstallMissing(std::vector<RequiredPackage> packages);
  Task<void> InstallIfMissing(PluginSpec spec);
  // A provider, and the process that it is; null for one in this process.
  struct StartedProvider {
    ProviderPtr provider;
    std::shared_ptr<GrpcProvider> process;
    std::string on_path = {};  // the executable, if it is in a folder of PATH
    std::string version = {};  // see PackageAnswer
  };
  // One that was begun early, or else a new one.
  Task<Result<StartedProvider>> TakeOrStartProvider(ProviderSpec spec);
  void WarnOfPath(const StartedProvider& started);
  Task<Result<StartedProvider>> StartProvider(ProviderSpec spec);
  ProviderQuery QueryOf(const ProviderSpec& spec, const std::string& engine_port);
  Task<Result<StartedProvider>> Launch(ProviderSpec spec, PreparedProvider prepared, std::string engine_port,
                                       std::shared_ptr<EarlyProvider> early = nullptr);
  void BeginEarly(const ProviderSpec& spec, std::optional<int64_t> recorded_at);
  void BeginRequired(const std::vector<RequiredPackage>& packages);
  void BeganEarly(const std::shared_ptr<EarlyProvider>& early, const std::shared_ptr<PluginProcess>& process);
  // Its output is shown once the engine has asked for it.
  static std::function<void(OutputStream, std::string)> KeepLines(const std::shared_ptr<EarlyProvider>& early,
                                                                  std::function<void(OutputStream, std::string)> tell);
  Task<void> StartEarly(std::shared_ptr<EarlyProvider> early);
  Task<Result<StartedProvider>> TryEarly(std::shared_ptr<EarlyProvider> early);
  std::shared_ptr<EarlyProvider> TakeEarly(const ProviderSpec& spec);
  Task<void> EndEarly();
  Task<Result<StartedProvider>> AttachProvider(std::string name, int port, std::string engine_port);
  Task<Result<StartedProvider>> StartEmbeddedProvider(std::string folder);
  Task<Result<std::string>> LoadSchemaOf(SchemaQuery query);
  ProviderPtr TakeSchemaProvider(const ProviderSpec& spec);
  Task<Result<PluginConnectionPtr>> StartLanguageTool(std::string language);
  // Starts the language's plugin for this one question, and ends it.
  template <class Interface, class Request, class Response>
  Task<Result<std::shared_ptr<Response>>> AskLanguageTool(std::string language,
                                                          AsyncMethod<Interface, Request, Response> method,
                                                          Request request);
  // Null if programs of the runtime need a process.
  std::shared_ptr<const EmbeddedLanguage> EmbeddedLanguageOf(const std::string& runtime) const;
  std::map<std::string, std::string> WithHostEnvironment(std::map<std::string, std::string> additions) const;
  static HandshakeTargets Targets(const std::string& engine_port, const std::string& directory);
  std::shared_ptr<GrpcProvider> MakeProvider(PluginConnectionPtr connection, const std::string& name);
  void Log(Severity severity, std::string line, int stream_id);
  std::string WorkingFolder() const;

  Loop& loop_;
  GrpcHostOptions options_;
  DiscoveryOptions discovery_;
  std::shared_ptr<ProcessSupervisor> supervisor_;
  PrivateFolder folder_;  // of sockets that only this user reaches
  WorkerPool workers_;
  const std::unique_ptr<PluginAcquisition> acquisition_;
  GrpcCallbacks callbacks_;

  EngineRelay relay_;  // to the run
  std::unique_ptr<EngineServer> engine_server_;
  std::unique_ptr<MonitorServer> monitor_server_;
  // The one that is served, for programs in this process. They may outlive the host for a moment.
  const std::shared_ptr<Monitor*> monitor_ = std::make_shared<Monitor*>(nullptr);

  std::vector<std::shared_ptr<GrpcProvider>> providers_;
  std::vector<ProviderSpec> loaded_;
  std::vector<std::shared_ptr<EarlyProvider>> early_;  // that the engine has not asked for yet
  Group beginning_;                                    // of these
  EarlyWatch early_watch_;
  std::set<std::string> warned_of_path_;  // executables
  bool expects_required_ = false;         // what the program requires is to be begun early
  std::vector<std::shared_ptr<GrpcAnalyzer>> analyzers_;
  std::vector<LanguageHostPtr> language_hosts_;

  // Plugins that only gave their schema: the next load of such a provider gets one, instead of another process.
  std::vector<std::pair<ProviderSpec, ProviderPtr>> asked_;
  std::map<std::string, std::string> given_schemas_;   // by package: what plugins that ask need not load
  std::set<std::shared_ptr<PluginProcess>> starting_;  // have written no port yet
  bool closing_ = false;                               // what is being loaded is not wanted any more
};

}  // namespace kingpost
