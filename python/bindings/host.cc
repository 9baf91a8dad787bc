// SPDX-License-Identifier: Apache-2.0
#include "bindings/host.h"

#include "bindings/analyzer.h"
#include "bindings/program.h"
#include "bindings/provider.h"

namespace kingpost::python {

namespace {

constexpr char kPolicyPrefix[] = "python:";
constexpr char kEveryPackage[] = "*";

Task<void> CancelProvider(ProviderPtr provider) {
  auto cancelling = provider->Cancel();
  co_await std::move(cancelling);
}

class PythonHost final : public PluginHost {
 public:
  PythonHost(std::shared_ptr<Loop> loop, PythonParts parts, std::unique_ptr<GrpcHost> inner)
      : loop_(std::move(loop)),
        parts_(std::move(parts)),
        inner_(std::move(inner)),
        workers_(*loop_, parts_.threads),
        control_(*loop_, 1) {}

  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) override {
    auto own = parts_.providers.find(spec.name);
    if (own == parts_.providers.end()) own = parts_.providers.find(kEveryPackage);
    if (own == parts_.providers.end()) {
      auto loading = inner_->LoadProvider(std::move(spec));
      co_return co_await std::move(loading);
    }
    // Cancelling must not wait for a free worker.
    cancellers_.push_back(NewPythonProvider(control_, own->second, spec.name));
    co_return NewPythonProvider(workers_, own->second, spec.name);
  }

  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) override {
    return inner_->LoadSchema(std::move(spec), std::move(parameterization));
  }

  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override {
    if (spec.path.rfind(kPolicyPrefix, 0) != 0) {
      auto loading = inner_->LoadAnalyzer(std::move(spec));
      co_return co_await std::move(loading);
    }
    const auto& [name, policy] = parts_.policies.at(std::stoul(spec.path.substr(sizeof kPolicyPrefix - 1)));
    co_return NewPythonAnalyzer(workers_, policy, name);
  }

  Task<Result<LanguageHostPtr>> LoadLanguageHost() override {
    // Starting it must not wait for a free worker either.
    program_ = NewPythonProgram(*loop_, control_, parts_.program, [this] { return inner_->program_addresses(); });
    co_return program_;
  }

  Callbacks& callbacks() override { return inner_->callbacks(); }
  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override { return inner_->ServeMonitor(monitor); }
  Task<void> StopMonitor() override { return inner_->StopMonitor(); }
  void set_engine_service(EngineService* service) override { inner_->set_engine_service(service); }
  std::string resource_status_address() override { return inner_->resource_status_address(); }

  Task<void> SignalCancellation() override {
    Group group(*loop_);
    for (const ProviderPtr& provider : cancellers_) group.Spawn(CancelProvider(provider));
    if (program_) group.Spawn(program_->Cancel());
    group.Spawn(inner_->SignalCancellation());
    co_await group.Wait();
  }

  Task<void> Close() override { return inner_->Close(); }

 private:
  const std::shared_ptr<Loop> loop_;
  const PythonParts parts_;
  const std::unique_ptr<GrpcHost> inner_;
  WorkerPool workers_, control_;
  std::vector<ProviderPtr> cancellers_;
  LanguageHostPtr program_;
};

}  // namespace

std::string PolicyPath(size_t index) { return kPolicyPrefix + std::to_string(index); }

Result<std::shared_ptr<ProcessSupervisor>> SharedSupervisor() {
  // Never destroyed: its reaper notices the end of the process by itself.
  static const auto& supervisor = *new Result<std::shared_ptr<ProcessSupervisor>>(ProcessSupervisor::Start());
  return supervisor;
}

Result<std::unique_ptr<PluginHost>> NewPythonHost(std::shared_ptr<Loop> loop, PythonParts parts,
                                                  GrpcHostOptions options) {
  Result<std::shared_ptr<ProcessSupervisor>> supervisor = SharedSupervisor();
  if (!supervisor.ok()) return supervisor.status();
  options.supervisor = std::move(*supervisor);
  auto inner = GrpcHost::Create(*loop, std::move(options));
  if (!inner.ok()) return inner.status();
  return std::unique_ptr<PluginHost>(new PythonHost(std::move(loop), std::move(parts), std::move(*inner)));
}

}  // namespace kingpost::python
