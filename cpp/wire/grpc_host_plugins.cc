// SPDX-License-Identifier: Apache-2.0
// How the host starts providers and policy packs (rows 2.18, 2.21, 8.1, 9.1; wire/grpc_host.h).
#include <filesystem>
#include <set>

#include "base/encoding.h"
#include "languages/schema/bind.h"
#include "model/dynamic_provider.h"
#include "plugins/plugin_additions.h"
#include "plugins/policy_pack_launch.h"
#include "plugins/provider_launch.h"
#include "wire/grpc_host.h"

namespace kingpost {

std::map<std::string, std::string> GrpcHost::WithHostEnvironment(std::map<std::string, std::string> additions) const {
  additions.insert(options_.environment.begin(), options_.environment.end());
  return additions;
}

std::shared_ptr<const EmbeddedLanguage> GrpcHost::EmbeddedLanguageOf(const std::string& runtime) const {
  const auto found = options_.languages.find(runtime);
  return found == options_.languages.end() ? nullptr : found->second;
}

HandshakeTargets GrpcHost::Targets(const std::string& engine_port, const std::string& directory) {
  return {engine_port, engine_port, engine_port, engine_port, directory};
}

std::shared_ptr<GrpcProvider> GrpcHost::MakeProvider(PluginConnectionPtr connection, const std::string& name) {
  return std::make_shared<GrpcProvider>(std::move(connection), name, [this] { return OpenMonitorPort(); });
}

std::unique_ptr<PluginAcquisition> GrpcHost::MakeAcquisition() {
  AcquisitionOptions options;
  options.cache_folder = discovery_.cache_folder;
  options.supervisor = supervisor_;
  options.on_progress = [this](const ProgressEvent& event) { relay_.Progress(event); };
  options.on_retry = [this](std::string text) { Log(Severity::kWarning, std::move(text), 0); };
  return std::make_unique<PluginAcquisition>(loop_, std::move(options));
}

// A failure here comes again, with the same words, when the plugin is loaded; it may never be.
Task<void> GrpcHost::InstallIfMissing(PluginSpec spec) {
  auto looking = workers_.Run([spec, discovery = discovery_] {
    const auto found = FindPlugin({spec.kind, spec.name, spec.version, spec.download_url}, discovery);
    return !found.ok() && found.status().detail<MissingPlugin>() != nullptr;
  });
  const bool missing = co_await std::move(looking);
  if (!missing) co_return;
  auto installing = acquisition_->Install(std::move(spec));
  (void)co_await std::move(installing);
}

Task<void> GrpcHost::InstallPlugins(std::vector<RequiredPackage> packages) {
  auto installing = InstallMissing(packages);
  if (PluginAcquisition::IsAutomatic()) co_await std::move(installing);
  BeginRequired(packages);
}

Task<void> GrpcHost::InstallMissing(std::vector<RequiredPackage> packages) {
  std::set<std::string> with_version;
  for (const RequiredPackage& package : packages) {
    if (!package.version.empty()) with_version.insert(package.name);
  }
  Group group(loop_);
  for (RequiredPackage& package : packages) {
    const bool has_plugin = package.kind == "resource" && package.name != "pulumi" && !IsDynamicProvider(package.name);
    if (!has_plugin || HasDebugPort(package.name)) continue;
    // Where one part names a version, that will do for those that do not.
    if (package.version.empty() && with_version.count(package.name) > 0) continue;
    PluginSpec plugin = {package.kind, std::move(package.name), std::move(package.version),
                         std::move(package.download_url), std::move(package.checksums)};
    group.Spawn(InstallIfMissing(std::move(plugin)));
  }
  co_await group.Wait();
}

// While the process starts, this host waits for it, so both are there.
void GrpcHost::ReportIfSlow(const std::shared_ptr<PluginProcess>& process) {
  constexpr std::chrono::seconds kSlowStart{10};
  std::function<void()> tell = [this, weak = std::weak_ptr(process)] {
    const auto starting = weak.lock();
    if (!starting || starting_.count(starting) == 0) return;
    Log(Severity::kWarning,
        "waiting for the " + starting->prefix() + " plugin [" + starting->path() +
            "], which has written no port to stdout yet\n",
        0);
  };
  loop_.PostAfter(kSlowStart, std::move(tell));
}

Task<Result<PluginConnectionPtr>> GrpcHost::Connect(ProcessSpec spec, std::string path, PluginProcessOptions options,
                                                    Debugger debugger, std::shared_ptr<EarlyProvider> early) {
  if (closing_) co_return Closing();
  options.waits_for_debugger = debugger.port != 0;
  auto process = PluginProcess::Start(loop_, supervisor_, std::move(spec), std::move(options));
  if (!process.ok()) co_return process.status().Wrap("failed to load plugin " + path);
  starting_.insert(*process);
  auto started = std::make_shared<bool>(false);
  Group telling(loop_);
  if (debugger.port != 0) {
    OnDebugger tell = [this](const Debugger& ready) { Tell(ready); };
    telling.Spawn(ReportWhenListening(loop_, std::move(debugger), started, std::move(tell)));
  } else if (early) {
    BeganEarly(early, *process);
  } else {
    ReportIfSlow(*process);
  }
  auto opening = PluginConnection::Open(loop_, *process, std::move(path));
  auto connection = co_await std::move(opening);
  *started = true;
  co_await telling.Wait();
  starting_.erase(*process);
  if (!closing_) co_return connection;
  if (connection.ok()) {
    auto closing = (*connection)->Close();
    co_await std::move(closing);
  }
  co_return Closing();
}

Task<Result<ProviderPtr>> GrpcHost::LoadProvider(ProviderSpec spec) {
  loaded_.push_back(spec);
  if (ProviderPtr asked = TakeSchemaProvider(spec)) co_return asked;
  auto starting = TakeOrStartProvider(std::move(spec));
  auto provider = co_await std::move(starting);
  if (!provider.ok()) co_return provider.status();
  if (provider->process) providers_.push_back(provider->process);
  co_return provider->provider;
}

bool GrpcHost::is_alive(const Provider* provider) const {
  for (const auto& started : providers_) {
    if (started.get() == provider) return started->is_alive();
  }
  return true;
}

Task<void> GrpcHost::EndProvider(ProviderPtr provider) {
  for (auto at = providers_.begin(); at != providers_.end(); ++at) {
    if (at->get() != provider.get()) continue;
    const auto process = std::move(*at);
    providers_.erase(at);
    auto ending = process->Close();
    co_await std::move(ending);
    co_return;
  }
}

// Null if none was asked for its schema, or if this one is to have an environment of its own.
ProviderPtr GrpcHost::TakeSchemaProvider(const ProviderSpec& spec) {
  if (!spec.env_var_mappings.empty()) return nullptr;
  for (auto at = asked_.begin(); at != asked_.end(); ++at) {
    const ProviderSpec& known = at->first;
    if (known.name != spec.name || known.version != spec.version || known.download_url != spec.download_url) continue;
    ProviderPtr provider = std::move(at->second);
    asked_.erase(at);
    return provider;
  }
  return nullptr;
}

Task<Result<GrpcHost::StartedProvider>> GrpcHost::StartEmbeddedProvider(std::string folder) {
  const auto yaml = EmbeddedLanguageOf("yaml");
  if (!yaml) co_return Status(Code::kUnimplemented, folder + ": plugins in YAML are not run here");
  auto load = [yaml, folder] { return yaml->LoadPlugin(folder); };
  auto loaded = co_await workers_.Run(load);
  if (!loaded.ok()) co_return loaded.status();
  LanguageServices services;
  services.loop = &loop_;
  services.monitor = [monitor = monitor_] { return *monitor; };
  services.program_folder = services.root_folder = WorkingFolder();
  services.load_schema = [this](ProviderSpec spec, std::optional<Parameterization> parameterization) {
    return LoadSchema(std::move(spec), std::move(parameterization));
  };
  services.log = [this](Severity severity, std::string text) { Log(severity, std::move(text), 0); };
  services.require_version = [this](const std::string& range) { return relay_.RequireVersion(range); };
  auto provider = (*loaded)->Provide(std::move(services));
  if (!provider.ok()) co_return provider.status();
  StartedProvider started{*provider, nullptr};
  co_return started;
}

Task<Result<GrpcHost::StartedProvider>> GrpcHost::StartProvider(ProviderSpec spec) {
  auto engine_port = OpenEnginePort();
  if (!engine_port.ok()) co_return engine_port.status();
  auto port = DebugProviderPort(spec.name);
  if (!port.ok()) co_return port.status();
  if (*port != 0) {
    auto attaching = AttachProvider(spec.name, *port, *engine_port);
    co_return co_await std::move(attaching);
  }

  ProviderQuery query = QueryOf(spec, *engine_port);
  if (options_.debug.Plugin(spec.name)) query.context.debugger = std::make_shared<Debugger>();
  auto preparing = PrepareOrInstall(workers_, *acquisition_, std::move(query), PluginOf(spec));
  auto prepared = co_await std::move(preparing);
  if (!prepared.ok()) {
    co_return spec.needed_by.empty() ? prepared.status() : prepared.status().Wrap(spec.needed_by);
  }
  if (!prepared->yaml_folder.empty()) {
    auto starting = StartEmbeddedProvider(prepared->yaml_folder);
    co_return co_await std::move(starting);
  }
  auto launching = Launch(std::move(spec), std::move(*prepared), std::move(*engine_port));
  co_return co_await std::move(launching);
}

ProviderQuery GrpcHost::QueryOf(const ProviderSpec& spec, const std::string& engine_port) {
  ProviderQuery query;
  query.plugin = {"resource", spec.name, spec.version, spec.download_url};
  query.discovery = discovery_;
  query.context = {engine_port, WorkingFolder(),
                   WithHostEnvironment(ProviderEnvironment(options_.project, options_.config, spec)),
                   options_.log_flags, nullptr};
  query.runtime_options = OptionTexts(*options_.project.runtime_options);
  query.program_folder = WorkingFolder();
  return query;
}

Task<Result<GrpcHost::StartedProvider>> GrpcHost::Launch(ProviderSpec spec, PreparedProvider prepared,
                                                         std::string engine_port,
                                                         std::shared_ptr<EarlyProvider> early) {
  PluginProcessOptions options;
  options.prefix = spec.name + " (resource)";
  options.path = prepared.program;
  // Only what dynamic providers write is the user's own; of others the last lines are kept for error messages.
  if (IsDynamicProvider(spec.name)) {
    options.on_line =
        LineLogger([this](Severity severity, std::string line, int stream) { Log(severity, std::move(line), stream); });
    if (early) options.on_line = KeepLines(early, std::move(options.on_line));
  }
  Debugger debugger = prepared.debugger ? *prepared.debugger : Debugger();
  auto opening =
      Connect(std::move(prepared.launch.spec), prepared.path, std::move(options), std::move(debugger), early);
  auto connection = co_await std::move(opening);
  if (!connection.ok()) co_return connection.status();
  auto provider = MakeProvider(*connection, spec.name);
  auto beginning = provider->Begin(Targets(engine_port, prepared.directory));
  Status begun = co_await std::move(beginning);
  StartedProvider started{provider, provider, prepared.is_on_path ? prepared.path : "", prepared.version};
  if (begun.ok() && !closing_) co_return started;
  auto closing = (*connection)->Close();
  co_await std::move(closing);
  co_return begun.ok() ? Closing() : begun;
}

Task<Result<GrpcHost::StartedProvider>> GrpcHost::AttachProvider(std::string name, int port, std::string engine_port) {
  auto connection = PluginConnection::Attach(loop_, port, name + " (resource)");
  auto provider = MakeProvider(connection, name);
  auto beginning = provider->Begin(Targets(engine_port, ""));
  Status begun = co_await std::move(beginning);
  if (!begun.ok()) co_return begun;
  StartedProvider started{provider, provider};
  co_return started;
}

Task<Result<std::string>> GrpcHost::LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) {
  if (options_.load_schema) return options_.load_schema(std::move(spec), std::move(parameterization));
  SchemaQuery query;
  query.package = spec.name;
  query.version = spec.version;
  query.download_url = spec.download_url;
  query.parameterization = std::move(parameterization);
  return LoadSchemaOf(std::move(query));
}

Task<Result<std::string>> GrpcHost::LoadSchemaOf(SchemaQuery query) {
  if (query.package == "pulumi") co_return schema::CorePackageSchema();
  const std::string package = query.parameterization ? query.parameterization->name : query.package;
  if (const auto given = given_schemas_.find(package); given != given_schemas_.end()) co_return given->second;
  ProviderSpec spec;
  spec.name = query.package;
  spec.version = query.version;
  spec.download_url = query.download_url;
  if (ProviderPtr asked = query.parameterization ? nullptr : TakeSchemaProvider(spec)) {
    auto asking = asked->GetSchema(SchemaRequest());
    auto again = co_await std::move(asking);
    asked_.emplace_back(std::move(spec), std::move(asked));
    co_return again;
  }
  // A parameterized one ends with its answer: that needs no early one.
  auto starting = query.parameterization ? StartProvider(spec) : TakeOrStartProvider(spec);
  auto provider = co_await std::move(starting);
  if (!provider.ok()) co_return provider.status();

  Result<std::string> schema = std::string();
  SchemaRequest request;
  Status status;
  if (query.parameterization) {
    auto parameterizing = provider->provider->Parameterize(*query.parameterization);
    auto subpackage = co_await std::move(parameterizing);
    status = subpackage.status();
    if (status.ok()) {
      request.subpackage_name = subpackage->first;
      request.subpackage_version = subpackage->second;
    }
  }
  if (status.ok()) {
    auto asking = provider->provider->GetSchema(request);
    schema = co_await std::move(asking);
  }
  if (provider->process && schema.ok() && status.ok() && !query.parameterization && !closing_) {
    providers_.push_back(provider->process);
    asked_.emplace_back(std::move(spec), provider->provider);
  } else if (provider->process) {
    auto closing = provider->process->Close();
    co_await std::move(closing);
  }
  if (!status.ok()) co_return status;
  co_return schema;
}

Task<Result<AnalyzerPtr>> GrpcHost::LoadAnalyzer(AnalyzerSpec spec) {
  auto engine_port = OpenEnginePort();
  if (!engine_port.ok()) co_return engine_port.status();
  LaunchContext context{*engine_port, WorkingFolder(), WithHostEnvironment(PolicyPackEnvironment(spec)), {}};
  if (options_.project.runtime == "python") {
    context.python_project = options_.project.folder();
    context.python_options = OptionTexts(*options_.project.runtime_options);
  }
  auto prepare = [spec, context] { return PreparePack(spec, context); };
  auto prepared = co_await workers_.Run(prepare);
  if (!prepared.ok()) co_return prepared.status();
  const std::string name = std::filesystem::absolute(spec.path).lexically_normal().string();
  PluginLaunch& launch = prepared->launch;
  auto completing = acquisition_->Complete(&launch, discovery_, "policy pack " + prepared->pack.name);
  const Status complete = co_await std::move(completing);
  if (!complete.ok()) co_return complete.Wrap("policy pack " + Quote(name) + " failed to start");

  PluginProcessOptions options;
  options.prefix = name + " (analyzer)";
  options.on_line =
      LineLogger([this](Severity severity, std::string line, int stream) { Log(severity, std::move(line), stream); });
  auto opening = Connect(std::move(launch.spec), spec.path, std::move(options));
  auto connection = co_await std::move(opening);
  if (!connection.ok()) co_return connection.status().Wrap("policy pack " + Quote(name) + " failed to start");

  auto analyzer = std::make_shared<GrpcAnalyzer>(*connection, name, std::move(prepared->pack));
  auto beginning = analyzer->Begin(*engine_port, spec);
  Status status = co_await std::move(beginning);
  if (status.ok()) {
    auto configuring = analyzer->ConfigureFrom(std::move(prepared->config), spec.config_path);
    status = co_await std::move(configuring);
  }
  if (status.ok() && closing_) status = Closing();
  if (!status.ok()) {
    auto closing = (*connection)->Close();
    co_await std::move(closing);
    co_return status;
  }
  analyzers_.push_back(analyzer);
  AnalyzerPtr result = analyzer;
  co_return result;
}

}  // namespace kingpost
