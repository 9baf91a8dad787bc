// SPDX-License-Identifier: Apache-2.0
// The common parts of worlds in one process: a provider that takes what it is given, and a plugin host that is also the
// language host and the monitor's client.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kingpost/engine.h"

namespace kingpost::testing {

// A provider base. Classes that derive from it compare, create, read, update and delete resources.
class PlainProvider : public Provider {
 public:
  const ProviderFeatures& features() const override { return features_; }
  std::string version() const override { return ""; }
  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override {
    co_return std::pair(value.name, value.version);
  }
  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override { return Check(std::move(request)); }
  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override { return Diff(std::move(request)); }
  Task<Status> Configure(ConfigureRequest) override { co_return Status(); }
  Task<Result<CheckResponse>> Check(CheckRequest request) override {
    CheckResponse response;
    response.inputs = request.new_inputs;
    co_return response;
  }
  Task<Result<ConstructResponse>> Construct(ConstructRequest) override { co_return Unused(); }
  Task<Result<InvokeResponse>> Invoke(InvokeRequest) override { co_return Unused(); }
  Task<Result<CallResponse>> Call(CallRequest) override { co_return Unused(); }
  Task<Result<std::string>> GetSchema(SchemaRequest) override { co_return Unused(); }
  Task<void> Cancel() override { co_return; }

 private:
  static Status Unused() { return Status(Code::kUnimplemented, "not of this provider"); }

  ProviderFeatures features_;
};

// A host base. Classes that derive from it load providers and run the program, which ends when program_ended_ is set.
class InProcessHost : public PluginHost, public LanguageHost, public Callbacks {
 public:
  explicit InProcessHost(Loop& loop) : loop_(loop), program_ended_(loop) {}

  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec) override { co_return Status(Code::kNotFound, "no analyzers"); }
  Task<Result<LanguageHostPtr>> LoadLanguageHost() override {
    co_return LanguageHostPtr(LanguageHostPtr(), static_cast<LanguageHost*>(this));
  }
  Callbacks& callbacks() override { return *this; }
  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override {
    monitor_ = monitor;
    co_return std::string("here");
  }
  Task<void> StopMonitor() override { co_return; }
  void set_engine_service(EngineService*) override {}
  std::string resource_status_address() override { return ""; }
  Task<void> SignalCancellation() override { co_return; }
  Task<void> Close() override { co_return; }

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    co_return std::vector<RequiredPackage>();
  }
  // A stopped run leaves the program's call unanswered until the program has ended.
  Task<void> Cancel() override {
    program_ended_.Set();
    co_return;
  }

  Task<Result<RegisterResourceRequest>> Transform(Callback, RegisterResourceRequest) override {
    co_return NoCallbacks();
  }
  Task<Result<TransformInvokeResponse>> TransformInvoke(Callback, TransformInvokeRequest) override {
    co_return NoCallbacks();
  }
  Task<Status> RunHook(Callback, ResourceHookRequest) override { co_return NoCallbacks(); }
  Task<Result<bool>> RunErrorHook(Callback, ErrorHookRequest) override { co_return NoCallbacks(); }
  Task<Result<StateMigrationResponse>> MigrateState(Callback, StateMigrationRequest) override {
    co_return NoCallbacks();
  }

 protected:
  Loop& loop_;
  Event program_ended_;
  Monitor* monitor_ = nullptr;

 private:
  static Status NoCallbacks() { return Status(Code::kUnimplemented, "no callbacks"); }
};

}  // namespace kingpost::testing
