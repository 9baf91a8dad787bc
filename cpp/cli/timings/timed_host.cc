// SPDX-License-Identifier: Apache-2.0
#include "cli/timings/timed_host.h"

#include <utility>

#include "journal/entry.h"

namespace kingpost {

namespace {

using Activity = Timings::Activity;

const Status& StatusOf(const Status& status) { return status; }
template <class T>
Status StatusOf(const Result<T>& result) {
  return result.ok() ? Status::Ok() : result.status();
}

// `owner` is kept for as long as the call runs.
template <class R>
Task<R> Timed([[maybe_unused]] std::shared_ptr<void> owner, Timings* timings, Activity activity, const char* what,
              std::string about, Task<R> call) {
  Timings::Span span(timings, activity, what, std::move(about));
  R result = co_await std::move(call);
  if (const Status status = StatusOf(result); !status.ok()) span.Fail(status.message());
  co_return result;
}

// The subject of a request: the URN, the function's token, or the type and the name or, without a name, the ID.
template <class Request>
std::string AboutOf(const Request& request) {
  if constexpr (requires { request.urn.str(); }) {
    return request.urn.str();
  } else if constexpr (requires { request.token; }) {
    return request.token;
  } else if constexpr (requires { request.type + request.name; }) {
    return request.type + " " + request.name;
  } else if constexpr (requires { request.type + request.id; }) {
    return request.type + " " + request.id;
  } else if constexpr (requires { request.name; }) {
    return request.name;
  } else {
    return "";
  }
}

class TimedProvider final : public Provider {
 public:
  TimedProvider(ProviderPtr provider, Timings* timings) : provider_(std::move(provider)), timings_(timings) {}

  const ProviderFeatures& features() const override { return provider_->features(); }
  std::string version() const override { return provider_->version(); }
  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override {
    return Time("Parameterize", &Provider::Parameterize, std::move(value));
  }
  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    return Time("CheckConfig", &Provider::CheckConfig, std::move(request));
  }
  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override {
    return Time("DiffConfig", &Provider::DiffConfig, std::move(request));
  }
  Task<Status> Configure(ConfigureRequest request) override {
    return Time("Configure", &Provider::Configure, std::move(request));
  }
  Task<Result<CheckResponse>> Check(CheckRequest request) override {
    return Time("Check", &Provider::Check, std::move(request));
  }
  Task<Result<DiffResponse>> Diff(DiffRequest request) override {
    return Time("Diff", &Provider::Diff, std::move(request));
  }
  Task<Result<CreateResponse>> Create(CreateRequest request) override {
    return Time("Create", &Provider::Create, std::move(request));
  }
  Task<Result<ReadResponse>> Read(ReadRequest request) override {
    return Time("Read", &Provider::Read, std::move(request));
  }
  Task<Result<UpdateResponse>> Update(UpdateRequest request) override {
    return Time("Update", &Provider::Update, std::move(request));
  }
  Task<Status> Delete(DeleteRequest request) override { return Time("Delete", &Provider::Delete, std::move(request)); }
  Task<Result<ConstructResponse>> Construct(ConstructRequest request) override {
    return Time("Construct", &Provider::Construct, std::move(request));
  }
  Task<Result<InvokeResponse>> Invoke(InvokeRequest request) override {
    return Time("Invoke", &Provider::Invoke, std::move(request));
  }
  Task<Result<CallResponse>> Call(CallRequest request) override {
    return Time("Call", &Provider::Call, std::move(request));
  }
  Task<Result<std::string>> GetSchema(SchemaRequest request) override {
    return Time("GetSchema", &Provider::GetSchema, std::move(request));
  }
  Task<void> Cancel() override { return provider_->Cancel(); }

 private:
  template <class R, class Request>
  Task<R> Time(const char* what, Task<R> (Provider::*method)(Request), Request request) {
    std::string about = timings_->has_listener() ? AboutOf(request) : "";
    Task<R> call = (provider_.get()->*method)(std::move(request));
    return Timed(provider_, timings_, Activity::kProviderCall, what, std::move(about), std::move(call));
  }

  const ProviderPtr provider_;
  Timings* const timings_;
};

// Its requests are the program's: while one is under way, the engine plans, unless a provider is at work.
class TimedMonitor final : public Monitor {
 public:
  TimedMonitor(Monitor* monitor, Timings* timings) : monitor_(monitor), timings_(timings) {}

  DeploymentInfo GetDeploymentInfo() override {
    timings_->ProgramConnects();
    return monitor_->GetDeploymentInfo();
  }
  bool SupportsFeature(const std::string& id) override {
    timings_->ProgramConnects();
    return monitor_->SupportsFeature(id);
  }
  Task<Result<RegisterResourceResponse>> RegisterResource(RegisterResourceRequest request) override {
    return Plan("RegisterResource", &Monitor::RegisterResource, std::move(request));
  }
  Task<Status> RegisterResourceOutputs(std::string urn, PropertyMap outputs) override {
    std::string about = urn;
    return Plan("RegisterResourceOutputs", std::move(about),
                monitor_->RegisterResourceOutputs(std::move(urn), std::move(outputs)));
  }
  Task<Result<ReadResourceResponse>> ReadResource(ReadResourceRequest request) override {
    return Plan("ReadResource", &Monitor::ReadResource, std::move(request));
  }
  Task<Result<ExistsResourceResponse>> ExistsResource(ExistsResourceRequest request) override {
    return Plan("ExistsResource", &Monitor::ExistsResource, std::move(request));
  }
  Task<Result<ResourceInvokeResponse>> Invoke(ResourceInvokeRequest request) override {
    return Plan("Invoke", &Monitor::Invoke, std::move(request));
  }
  Task<Result<CallResponse>> Call(ResourceCallRequest request) override {
    return Plan("Call", &Monitor::Call, std::move(request));
  }
  Task<Status> RegisterStackTransform(Callback callback) override {
    return Plan("RegisterStackTransform", "", monitor_->RegisterStackTransform(std::move(callback)));
  }
  Task<Status> RegisterStackInvokeTransform(Callback callback) override {
    return Plan("RegisterStackInvokeTransform", "", monitor_->RegisterStackInvokeTransform(std::move(callback)));
  }
  Task<Status> RegisterResourceHook(std::string name, Callback callback, bool on_dry_run, bool ignore_errors) override {
    std::string about = name;
    return Plan("RegisterResourceHook", std::move(about),
                monitor_->RegisterResourceHook(std::move(name), std::move(callback), on_dry_run, ignore_errors));
  }
  Task<Status> RegisterErrorHook(std::string name, Callback callback) override {
    std::string about = name;
    return Plan("RegisterErrorHook", std::move(about),
                monitor_->RegisterErrorHook(std::move(name), std::move(callback)));
  }
  Task<Result<std::string>> RegisterPackage(RegisterPackageRequest request) override {
    return Plan("RegisterPackage", &Monitor::RegisterPackage, std::move(request));
  }
  // It waits for the end of the operation, which is no work.
  Task<Status> SignalAndWaitForShutdown() override { return monitor_->SignalAndWaitForShutdown(); }

 private:
  template <class R>
  Task<R> Plan(const char* what, std::string about, Task<R> call) {
    timings_->ProgramConnects();
    return Timed(nullptr, timings_, Activity::kPlanning, what, std::move(about), std::move(call));
  }
  template <class R, class Request>
  Task<R> Plan(const char* what, Task<R> (Monitor::*method)(Request), Request request) {
    std::string about = timings_->has_listener() ? AboutOf(request) : "";
    return Plan(what, std::move(about), (monitor_->*method)(std::move(request)));
  }

  Monitor* const monitor_;
  Timings* const timings_;
};

class TimedLanguageHost final : public LanguageHost {
 public:
  TimedLanguageHost(LanguageHostPtr host, Timings* timings) : host_(std::move(host)), timings_(timings) {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    return Timed(host_, timings_, Activity::kPlugins, "GetRequiredPackages", "", host_->GetRequiredPackages());
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
    std::string about = spec.name;
    return Load(timings_, std::move(about), host_->LoadProvider(std::move(spec)));
  }
  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) override {
    std::string about = spec.name;
    return Time("LoadSchema", std::move(about), host_->LoadSchema(std::move(spec), std::move(parameterization)));
  }
  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override {
    std::string about = spec.path;
    return Time("LoadAnalyzer", std::move(about), host_->LoadAnalyzer(std::move(spec)));
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
  void ShortenShutdown() override { host_->ShortenShutdown(); }
  bool ends_with_process() const override { return host_->ends_with_process(); }

 private:
  template <class R>
  Task<R> Time(const char* what, std::string about, Task<R> call) {
    return Timed(nullptr, timings_, Activity::kPlugins, what, std::move(about), std::move(call));
  }
  static Task<void> Install(Timings* timings, Task<void> installing) {
    const Timings::Span span(timings, Activity::kPlugins, "InstallPlugins");
    co_await std::move(installing);
  }
  static Task<Result<ProviderPtr>> Load(Timings* timings, std::string about, Task<Result<ProviderPtr>> loading) {
    Timings::Span span(timings, Activity::kPlugins, "LoadProvider", std::move(about));
    Result<ProviderPtr> loaded = co_await std::move(loading);
    if (!loaded.ok()) span.Fail(loaded.status().message());
    if (loaded.ok()) loaded = ProviderPtr(std::make_shared<TimedProvider>(*loaded, timings));
    co_return loaded;
  }
  static Task<Result<LanguageHostPtr>> Load(Timings* timings, Task<Result<LanguageHostPtr>> loading) {
    const Timings::Span span(timings, Activity::kPlugins, "LoadLanguageHost");
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
  return Timed(nullptr, timings_, Activity::kSaving, "Append", "", recorder_->Append(std::move(entry)));
}

}  // namespace kingpost
