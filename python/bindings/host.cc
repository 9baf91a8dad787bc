// SPDX-License-Identifier: Apache-2.0
#include "bindings/host.h"

#include "bindings/analyzer.h"
#include "bindings/direct_line.h"
#include "bindings/program.h"

namespace kingpost::python {

namespace {

constexpr char kPolicyPrefix[] = "python:";
constexpr char kEveryPackage[] = "*";

Task<void> CancelProvider(ProviderPtr provider) {
  auto cancelling = provider->Cancel();
  co_await std::move(cancelling);
}

// Tells afterwards whether it was the program that failed.
class WatchedProgram final : public LanguageHost {
 public:
  WatchedProgram(LanguageHostPtr inner, std::shared_ptr<std::atomic<bool>> failed)
      : inner_(std::move(inner)), failed_(std::move(failed)) {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override { return inner_->GetRequiredPackages(); }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    auto running = inner_->Run(std::move(request));
    Result<RunResponse> response = co_await std::move(running);
    *failed_ = !response.ok() || response->bail || !response->error.empty();
    co_return response;
  }

  Task<void> Cancel() override { return inner_->Cancel(); }

 private:
  const LanguageHostPtr inner_;
  const std::shared_ptr<std::atomic<bool>> failed_;
};

class PythonHost final : public PluginHost {
 public:
  PythonHost(std::shared_ptr<Loop> loop, PythonParts parts, std::unique_ptr<GrpcHost> inner)
      : loop_(std::move(loop)), parts_(std::move(parts)), inner_(std::move(inner)), calls_(*loop_) {}

  Task<void> InstallPlugins(std::vector<RequiredPackage> packages) override {
    std::erase_if(packages, [this](const RequiredPackage& package) { return Own(package.name) != nullptr; });
    return inner_->InstallPlugins(std::move(packages));
  }

  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) override {
    const auto* own = Own(spec.name);
    if (!own) {
      has_plugins_ = true;
      auto loading = inner_->LoadProvider(std::move(spec));
      co_return co_await std::move(loading);
    }
    providers_.push_back(MakeProvider(own->first, own->second));
    co_return providers_.back();
  }

  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) override {
    const auto* own = Own(spec.name);
    if (!own) {
      auto loading = inner_->LoadSchema(std::move(spec), std::move(parameterization));
      co_return co_await std::move(loading);
    }
    const ProviderPtr provider = MakeProvider(own->first, own->second);
    SchemaRequest request;
    if (parameterization) {
      auto naming = provider->Parameterize(*parameterization);
      const auto named = co_await std::move(naming);
      if (!named.ok()) co_return named.status();
      request.subpackage_name = named->first;
      request.subpackage_version = named->second;
    }
    auto asking = provider->GetSchema(std::move(request));
    co_return co_await std::move(asking);
  }

  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override {
    if (spec.path.rfind(kPolicyPrefix, 0) != 0) {
      auto loading = inner_->LoadAnalyzer(std::move(spec));
      co_return co_await std::move(loading);
    }
    const auto& [name, policy] = parts_.policies.at(PolicyIndex(spec.path));
    co_return NewPythonAnalyzer(calls_, policy, name, parts_.timeout_s);
  }

  Task<Result<LanguageHostPtr>> LoadLanguageHost() override {
    if (parts_.program) {
      program_ = NewPythonProgram(*loop_, calls_, parts_.program, [this] { return DirectText(); });
      co_return std::make_shared<WatchedProgram>(program_, parts_.program_failed);
    }
    auto loading = inner_->LoadLanguageHost();
    Result<LanguageHostPtr> loaded = co_await std::move(loading);
    if (!loaded.ok()) co_return loaded;
    co_return std::make_shared<WatchedProgram>(std::move(*loaded), parts_.program_failed);
  }

  Callbacks& callbacks() override { return inner_->callbacks(); }
  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override { return inner_->ServeMonitor(monitor); }
  Task<void> StopMonitor() override { return inner_->StopMonitor(); }
  void set_engine_service(EngineService* service) override { inner_->set_engine_service(service); }
  std::string resource_status_address() override {
    return has_plugins_ ? inner_->resource_status_address() : DirectText();
  }

  Task<void> SignalCancellation() override {
    Group group(*loop_);
    for (const ProviderPtr& provider : providers_) group.Spawn(CancelProvider(provider));
    if (program_) group.Spawn(program_->Cancel());
    group.Spawn(inner_->SignalCancellation());
    co_await group.Wait();
  }

  Task<void> Close() override {
    calls_.Abandon();
    return inner_->Close();
  }
  void ShortenShutdown() override { inner_->ShortenShutdown(); }

 private:
  // The provider of the package in this process, with the name under which it was given; null if there is none.
  const std::pair<const std::string, ProviderPart>* Own(const std::string& package) const {
    auto own = parts_.providers.find(package);
    if (own == parts_.providers.end()) own = parts_.providers.find(kEveryPackage);
    return own == parts_.providers.end() ? nullptr : &*own;
  }

  // Where code of this process finds the services that there are by now.
  std::string DirectText() {
    direct_.Set(inner_->program_services());
    return direct_.text();
  }

  ProviderPtr MakeProvider(const std::string& package, const ProviderPart& part) {
    return NewPythonProvider(calls_, part, package, [this] { return inner_->program_addresses(); });
  }

  const std::shared_ptr<Loop> loop_;
  const PythonParts parts_;
  const std::unique_ptr<GrpcHost> inner_;
  PythonCalls calls_;
  std::vector<ProviderPtr> providers_;
  LanguageHostPtr program_;
  const DirectAddress direct_;
  bool has_plugins_ = false;  // processes, which need a socket where this process needs none
};

}  // namespace

AnalyzerSpec PolicyPackOf(size_t index, bool dry_run) {
  AnalyzerSpec spec;
  spec.path = kPolicyPrefix + std::to_string(index);
  spec.dry_run = dry_run;
  return spec;
}

size_t PolicyIndex(const std::string& path) { return std::stoul(path.substr(sizeof kPolicyPrefix - 1)); }

Result<std::shared_ptr<ProcessSupervisor>> SharedSupervisor() {
  // Never destroyed: its reaper notices the end of the process by itself.
  static const auto& supervisor = *new Result<std::shared_ptr<ProcessSupervisor>>(ProcessSupervisor::Start());
  return supervisor;
}

Result<std::unique_ptr<PluginHost>> NewPythonHost(std::shared_ptr<Loop> loop, PythonParts parts,
                                                  GrpcHostOptions options, ExpectedProviders expected) {
  Result<std::shared_ptr<ProcessSupervisor>> supervisor = SharedSupervisor();
  if (!supervisor.ok()) return supervisor.status();
  options.supervisor = std::move(*supervisor);
  options.program_in_process = static_cast<bool>(parts.program);
  auto inner = GrpcHost::Create(*loop, std::move(options));
  if (!inner.ok()) return inner.status();
  std::erase_if(expected.specs, [&](const ProviderSpec& spec) {
    return parts.providers.count(spec.name) > 0 || parts.providers.count(kEveryPackage) > 0;
  });
  (*inner)->ExpectProviders(expected, nullptr);
  return std::unique_ptr<PluginHost>(new PythonHost(std::move(loop), std::move(parts), std::move(*inner)));
}

}  // namespace kingpost::python
