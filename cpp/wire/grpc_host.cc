// SPDX-License-Identifier: Apache-2.0
#include "wire/grpc_host.h"

#include <algorithm>
#include <filesystem>

#include "wire/start_language_host.h"

namespace kingpost {

namespace {

constexpr int kWorkers = 2;
constexpr std::chrono::seconds kCancelAllBudget{30};

Task<void> CancelAndCount(std::shared_ptr<Provider> provider, std::shared_ptr<Analyzer> analyzer,
                          LanguageHostPtr language) {
  if (provider) {
    auto cancelling = provider->Cancel();
    co_await std::move(cancelling);
  }
  if (analyzer) {
    auto cancelling = analyzer->Cancel();
    co_await std::move(cancelling);
  }
  if (language) {
    auto cancelling = language->Cancel();
    co_await std::move(cancelling);
  }
}

Task<void> TellWhenDone(std::shared_ptr<Group> group, Completion<bool> done) {
  co_await group->Wait();
  done.Set(true);
}

Task<void> StopOne(std::shared_ptr<PluginProcess> process) {
  auto stopping = process->Stop();
  co_await std::move(stopping);
}

template <class Plugin>
Task<void> CloseOne(std::shared_ptr<Plugin> plugin) {
  auto closing = plugin->Close();
  co_await std::move(closing);
}

}  // namespace

Result<std::unique_ptr<GrpcHost>> GrpcHost::Create(Loop& loop, GrpcHostOptions options) {
  Result<std::shared_ptr<ProcessSupervisor>> supervisor(options.supervisor);
  if (!*supervisor) supervisor = ProcessSupervisor::Start();
  if (!supervisor.ok()) return supervisor.status();
  auto folder = PrivateFolder::Create(supervisor->get());
  if (!folder.ok()) return folder.status();
  return std::unique_ptr<GrpcHost>(new GrpcHost(loop, std::move(options), std::move(*supervisor), std::move(*folder)));
}

Result<std::unique_ptr<PackageHost>> NewPackageHost(Loop& loop, GrpcHostOptions options) {
  auto host = GrpcHost::Create(loop, std::move(options));
  if (!host.ok()) return host.status();
  return std::unique_ptr<PackageHost>(std::move(*host));
}

GrpcHost::GrpcHost(Loop& loop, GrpcHostOptions options, std::shared_ptr<ProcessSupervisor> supervisor,
                   PrivateFolder folder)
    : loop_(loop),
      options_(std::move(options)),
      discovery_(DiscoveryOptions::FromEnvironment(options_.project)),
      supervisor_(std::move(supervisor)),
      folder_(std::move(folder)),
      workers_(loop, kWorkers),
      acquisition_(MakeAcquisition()),
      callbacks_(loop, workers_, WorkingFolder()),
      beginning_(loop) {}

GrpcHost::~GrpcHost() {
  // Stopping the server would answer the calls that a stopped run left open.
  if (options_.ends_with_process) (void)monitor_server_.release();
}

std::string GrpcHost::WorkingFolder() const {
  return options_.project.file.empty() ? std::filesystem::current_path().string() : options_.project.ProgramFolder();
}

// ---- servers --------------------------------------------------------------------------------------------------------

Status GrpcHost::Closing() { return Status::Bail("the operation has ended"); }

Status GrpcHost::MakeEngineServer() {
  if (closing_) return Closing();
  if (engine_server_) return Status::Ok();
  EngineServerOptions options;
  options.load_schema = [this](SchemaQuery query) { return LoadSchemaOf(std::move(query)); };
  options.unix_path = folder_.Path("engine");
  options.on_refused = ReportRefused();
  engine_server_ = std::make_unique<EngineServer>(loop_, &relay_, std::move(options));
  return Status::Ok();
}

Status GrpcHost::StartEngineServer() {
  const Status made = MakeEngineServer();
  return made.ok() ? engine_server_->Start().status() : made;
}

Result<std::string> GrpcHost::OpenEnginePort() {
  Status status = StartEngineServer();
  if (!status.ok()) return status;
  return engine_server_->OpenPort();
}

Result<std::string> GrpcHost::OpenMonitorPort() {
  if (!monitor_server_) return Closing();
  auto listening = monitor_server_->Start();
  return listening.ok() ? monitor_server_->OpenPort() : listening;
}

std::string GrpcHost::MissingRegistration() const {
  if (!monitor_server_ || monitor_server_->has_stack_outputs()) return "";
  return monitor_server_->has_stack() ? "the outputs of its stack" : "its stack";
}

GuardedPort::OnRefused GrpcHost::ReportRefused() {
  return [this, inbox = loop_.inbox()](const Status& why) {
    inbox->Post([this, text = why.message() + "\n"] { Log(Severity::kWarning, text, 0); });
  };
}

std::string GrpcHost::resource_status_address() {
  auto port = OpenEnginePort();
  return port.ok() ? *port : "";
}

Result<ProgramAddresses> GrpcHost::program_addresses() {
  KP_ASSERT(monitor_server_, "programs run while the monitor is served");
  Status status = StartEngineServer();
  if (!status.ok()) return status;
  auto monitor = monitor_server_->Start();
  if (!monitor.ok()) return monitor.status();
  return ProgramAddresses{*monitor, engine_server_->address()};
}

DirectServices GrpcHost::program_services() {
  DirectServices services;
  if (monitor_server_) services.monitor = monitor_server_->direct();
  if (MakeEngineServer().ok()) services.engine = engine_server_->direct();
  return services;
}

Task<Result<std::string>> GrpcHost::ServeMonitor(Monitor* monitor) {
  KP_ASSERT(!monitor_server_, "one monitor is served at a time");
  MonitorServerOptions options;
  options.working_directory = WorkingFolder();
  options.unix_path = folder_.Path("monitor");
  options.on_refused = ReportRefused();
  monitor_server_ = std::make_unique<MonitorServer>(loop_, monitor, std::move(options));
  *monitor_ = monitor;
  if (options_.program_in_process) co_return std::string();  // who needs the address asks for it
  auto address = monitor_server_->Start();
  if (!address.ok()) *monitor_ = nullptr;
  co_return address;
}

Task<void> GrpcHost::StopMonitor() {
  *monitor_ = nullptr;
  if (!monitor_server_) co_return;
  auto server = std::move(monitor_server_);
  auto stopping = server->Stop();
  co_await std::move(stopping);
}

void GrpcHost::Log(Severity severity, std::string line, int stream_id) {
  relay_.Log(severity, std::move(line), "", stream_id, false);
}

void GrpcHost::Tell(const Debugger& debugger) { relay_.StartDebugging(debugger.config, debugger.message); }

// ---- the program ----------------------------------------------------------------------------------------------------

Task<Result<LanguageHostPtr>> GrpcHost::LoadLanguageHost() {
  Status status = StartEngineServer();
  if (!status.ok()) co_return status;
  LanguageHostOptions options;
  options.project = options_.project;
  options.client_address = options_.client_address;
  options.engine_address = engine_server_->address();
  options.open_engine_port = [this] { return OpenEnginePort(); };
  options.open_monitor_port = [this] { return OpenMonitorPort(); };
  options.missing_registration = [this] { return MissingRegistration(); };
  options.program_has_signalled = [this] { return monitor_server_ && monitor_server_->has_signalled(); };
  options.supervisor = supervisor_;
  options.log = [this](Severity severity, std::string line, int stream) { Log(severity, std::move(line), stream); };
  options.progress = [this](std::string message) { relay_.Log(Severity::kInfo, std::move(message), "", 0, true); };
  options.environment = options_.environment;
  options.wants_debug_messages = options_.wants_debug_messages;
  options.log_flags = options_.log_flags;
  options.standby = options_.standby;
  options.debug_program = options_.debug.Program();
  options.on_debugger = [this](const Debugger& debugger) { Tell(debugger); };
  options.in_process.monitor = [monitor = monitor_] { return *monitor; };
  options.in_process.engine = [this] { return &relay_; };
  options.in_process.language = EmbeddedLanguageOf(options.project.runtime);
  options.in_process.load_schema = [this](ProviderSpec spec, std::optional<Parameterization> parameterization) {
    return LoadSchema(std::move(spec), std::move(parameterization));
  };
  options.find_plugin = [this](std::string name) { return acquisition_->LanguagePlugin(std::move(name), discovery_); };
  auto starting = StartLanguageHost(loop_, std::move(options));
  auto host = co_await std::move(starting);
  if (host.ok()) language_hosts_.push_back(*host);
  co_return host;
}

// ---- the end --------------------------------------------------------------------------------------------------------

Task<void> GrpcHost::SignalCancellation() {
  acquisition_->Cancel();
  auto group = std::make_shared<Group>(loop_);
  for (const auto& provider : providers_) group->Spawn(CancelAndCount(provider, nullptr, nullptr));
  for (const auto& analyzer : analyzers_) group->Spawn(CancelAndCount(nullptr, analyzer, nullptr));
  for (const auto& host : language_hosts_) group->Spawn(CancelAndCount(nullptr, nullptr, host));
  Completion<bool> done(loop_);
  loop_.Spawn(TellWhenDone(group, done));
  loop_.PostAfter(kCancelAllBudget, [done] { done.Set(false); });
  co_await done;
}

Task<void> GrpcHost::Close() {
  closing_ = true;
  callbacks_.GiveUp();
  acquisition_->Cancel();
  if (!options_.ends_with_process) {
    auto stopping = StopMonitor();
    co_await std::move(stopping);
  }
  Group group(loop_);
  group.Spawn(EndEarly());
  for (const auto& process : starting_) group.Spawn(StopOne(process));
  for (const auto& provider : providers_) group.Spawn(CloseOne(provider));
  for (const auto& analyzer : analyzers_) group.Spawn(CloseOne(analyzer));
  for (const auto& host : language_hosts_) group.Spawn(CancelAndCount(nullptr, nullptr, host));
  co_await group.Wait();
  asked_.clear();
  providers_.clear();
  analyzers_.clear();
  language_hosts_.clear();  // with them their processes
  if (!engine_server_) co_return;
  auto server = std::move(engine_server_);
  auto ending = server->Stop();
  co_await std::move(ending);
}

}  // namespace kingpost
