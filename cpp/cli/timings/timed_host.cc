#include "cli/timings/timed_host.h"

#include <utility>

#include "journal/entry.h"

namespace kingpost {

namespace {

using Activity = Timings::Activity;

// `owner` is kept for as long as the call runs.
template <class R>
Task<R> Timed([[maybe_unused]] std::shared_ptr<void> owner, Timings* timings, Activity activity, const char* what,
              Task<R> call) {
  const Timings::Span span(timings, activity, what);
  R result = co_await std::move(call);
  co_return result;
}

class TimedProvider final : public Provider {
 public:
  TimedProvider(ProviderPtr provider, Timings* timings) : provider_(std::move(provider)), timings_(timings) {}

  const ProviderFeatures& features() const override { return provider_->features(); }
  std::string version() const override { return provider_->version(); }
  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override {
    return Time("Parameterize", provider_->Parameterize(std::move(value)));
  }
  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    return Time("CheckConfig", provider_->CheckConfig(std::move(request)));
  }
  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override {
    return Time("DiffConfig", provider_->DiffConfig(std::move(request)));
  }
  Task<Status> Configure(ConfigureRequest request) override {
    return Time("Configure", provider_->Configure(std::move(request)));
  }
  Task<Result<CheckResponse>> Check(CheckRequest request) override {
    return Time("Check", provider_->Check(std::move(request)));
  }
  Task<Result<DiffResponse>> Diff(DiffRequest request) override {
    return Time("Diff", provider_->Diff(std::move(request)));
  }
  Task<Result<CreateResponse>> Create(CreateRequest request) override {
    return Time("Create", provider_->Create(std::move(request)));
  }
  Task<Result<ReadResponse>> Read(ReadRequest request) override {
    return Time("Read", provider_->Read(std::move(request)));
  }
  Task<Result<UpdateResponse>> Update(UpdateRequest request) override {
    return Time("Update", provider_->Update(std::move(request)));
  }
  Task<Status> Delete(DeleteRequest request) override { return Time("Delete", provider_->Delete(std::move(request))); }
  Task<Result<ConstructResponse>> Construct(ConstructRequest request) override {
    return Time("Construct", provider_->Construct(std::move(request)));
  }
  Task<Result<InvokeResponse>> Invoke(InvokeRequest request) override {
    return Time("Invoke", provider_->Invoke(std::move(request)));
  }
  Task<Result<CallResponse>> Call(CallRequest request) override {
    return Time("Call", provider_->Call(std::move(request)));
  }
  Task<Result<std::string>> GetSchema(SchemaRequest request) override {
    return Time("GetSchema", provider_->GetSchema(std::move(request)));
  }
  Task<void> Cancel() override { return provider_->Cancel(); }

 private:
  template <class R>
  Task<R> Time(const char* what, Task<R> call) {
    return Timed(provider_, timings_, Activity::kProviderCall, what, std::move(call));
  }

  const ProviderPtr provider_;
  Timings* const timings_;
};

// Its requests are the program's: while one is under way, the engine plans, unless a provider is at work.
class TimedMonitor final : public Monitor {
 public:
  TimedMonitor(Monitor* monitor, Timings* timings) : monitor_(monitor), timings_(timings) {}

  DeploymentInfo GetDeploymentInfo() override {
    timings_->ProgramSpeaks();
    return monitor_->GetDeploymentInfo();
  }
  bool SupportsFeature(const std::string& id) override {
    timings_->ProgramSpeaks();
    return monitor_->SupportsFeature(id);
  }
  Task<Result<RegisterResourceResponse>> RegisterResource(RegisterResourceRequest request) override {
    return Plan(monitor_->RegisterResource(std::move(request)));
  }
  Task<Status> RegisterResourceOutputs(std::string urn, PropertyMap outputs) override {
    return Plan(monitor_->RegisterResourceOutputs(std::move(urn), std::move(outputs)));
  }
  Task<Result<ReadResourceResponse>> ReadResource(ReadResourceRequest request) override {
    return Plan(monitor_->ReadResource(std::move(request)));
  }
  Task<Result<ResourceInvokeResponse>> Invoke(ResourceInvokeRequest request) override {
    return Plan(monitor_->Invoke(std::move(request)));
  }
  Task<Result<CallResponse>> Call(ResourceCallRequest request) override {
    return Plan(monitor_->Call(std::move(request)));
  }
  Task<Status> RegisterStackTransform(Callback callback) override {
    return Plan(monitor_->RegisterStackTransform(std::move(callback)));
  }
  Task<Status> RegisterStackInvokeTransform(Callback callback) override {
    return Plan(monitor_->RegisterStackInvokeTransform(std::move(callback)));
  }
  Task<Status> RegisterResourceHook(std::string name, Callback callback, bool on_dry_run, bool ignore_errors) override {
    return Plan(monitor_->RegisterResourceHook(std::move(name), std::move(callback), on_dry_run, ignore_errors));
  }
  Task<Status> RegisterErrorHook(std::string name, Callback callback) override {
    return Plan(monitor_->RegisterErrorHook(std::move(name), std::move(callback)));
  }
  Task<Result<std::string>> RegisterPackage(RegisterPackageRequest request) override {
    return Plan(monitor_->RegisterPackage(std::move(request)));
  }
  // It waits for the end of the operation, which is no work.
  Task<Status> SignalAndWaitForShutdown() override { return monitor_->SignalAndWaitForShutdown(); }

 private:
  template <class R>
  Task<R> Plan(Task<R> call) {
    timings_->ProgramSpeaks();
    return Timed(nullptr, timings_, Activity::kPlanning, "", std::move(call));
  }

  Monitor* const monitor_;
  Timings* const timings_;
};

class TimedLanguageHost final : public LanguageHost {
 public:
  TimedLanguageHost(LanguageHostPtr host, Timings* timings) : host_(std::move(host)), timings_(timings) {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    return Timed(host_, timings_, Activity::kPlugins, "", host_->GetRequiredPackages());
  }
  Task<Result<RunResponse>> Run(RunRequest request) override {
    return RunTimed(host_, timings_, host_->Run(std::move(request)));
  }
  Task<void> Cancel() override { return host_->Cancel(); }

 private:
  static Task<Result<RunResponse>> RunTimed([[maybe_unused]] LanguageHostPtr host, Timings* timings,
                                            Task<Result<RunResponse>> running) {
    timings->ProgramStarts();
    Result<RunResponse> response = co_await std::move(running);
    timings->ProgramEnds();
    co_return response;
  }

  const LanguageHostPtr host_;
  Timings* const timings_;
};

class TimedHost final : public PluginHost {
 public:
  TimedHost(std::unique_ptr<PluginHost> host, Timings* timings) : host_(std::move(host)), timings_(timings) {}

  Task<void> InstallPlugins(std::vector<RequiredPackage> packages) override {
    return Install(timings_, host_->InstallPlugins(std::move(packages)));
  }
  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) override {
    return Load(timings_, host_->LoadProvider(std::move(spec)));
  }
  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) override {
    return Time(host_->LoadSchema(std::move(spec), std::move(parameterization)));
  }
  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override {
    return Time(host_->LoadAnalyzer(std::move(spec)));
  }
  Task<Result<LanguageHostPtr>> LoadLanguageHost() override { return Load(timings_, host_->LoadLanguageHost()); }
  Callbacks& callbacks() override { return host_->callbacks(); }

  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override {
    monitor_ = std::make_unique<TimedMonitor>(monitor, timings_);
    return host_->ServeMonitor(monitor_.get());
  }
  Task<void> StopMonitor() override { return host_->StopMonitor(); }
  void set_engine_service(EngineService* service) override { host_->set_engine_service(service); }
  std::string resource_status_address() override { return host_->resource_status_address(); }
  Task<void> SignalCancellation() override { return host_->SignalCancellation(); }
  Task<void> Close() override { return host_->Close(); }
  bool ends_with_process() const override { return host_->ends_with_process(); }

 private:
  template <class R>
  Task<R> Time(Task<R> call) {
    return Timed(nullptr, timings_, Activity::kPlugins, "", std::move(call));
  }
  static Task<void> Install(Timings* timings, Task<void> installing) {
    const Timings::Span span(timings, Activity::kPlugins);
    co_await std::move(installing);
  }
  static Task<Result<ProviderPtr>> Load(Timings* timings, Task<Result<ProviderPtr>> loading) {
    const Timings::Span span(timings, Activity::kPlugins);
    Result<ProviderPtr> loaded = co_await std::move(loading);
    if (loaded.ok()) loaded = ProviderPtr(std::make_shared<TimedProvider>(*loaded, timings));
    co_return loaded;
  }
  static Task<Result<LanguageHostPtr>> Load(Timings* timings, Task<Result<LanguageHostPtr>> loading) {
    const Timings::Span span(timings, Activity::kPlugins);
    Result<LanguageHostPtr> loaded = co_await std::move(loading);
    if (loaded.ok()) loaded = LanguageHostPtr(std::make_shared<TimedLanguageHost>(*loaded, timings));
    co_return loaded;
  }

  const std::unique_ptr<PluginHost> host_;
  Timings* const timings_;
  std::unique_ptr<TimedMonitor> monitor_;
};

}  // namespace

std::unique_ptr<PluginHost> TimeHost(std::unique_ptr<PluginHost> host, Timings* timings) {
  return std::make_unique<TimedHost>(std::move(host), timings);
}

Task<Status> TimedRecorder::Append(JournalEntry entry) {
  return Timed(nullptr, timings_, Activity::kSaving, "", recorder_->Append(std::move(entry)));
}

}  // namespace kingpost
