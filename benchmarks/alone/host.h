// SPDX-License-Identifier: Apache-2.0
// The world of kp_alone: a program that registers resources one after the other, up to a thousand at a time, and a
// provider that answers at once.
#pragma once

#include <map>
#include <string>

#include "kingpost/engine.h"

namespace kingpost::bench {

class Host : public PluginHost, public LanguageHost, public Callbacks {
 public:
  // Of the first `changed` resources one input is another.
  Host(Loop& loop, int count, int changed) : loop_(loop), count_(count), changed_(changed), ended_(loop) {}

  // Whether the provider was asked for what the phase takes, and for no more.
  bool AskedAsExpected(const std::string& phase) const;

  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec) override;
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
  Task<Result<RunResponse>> Run(RunRequest) override;
  Task<void> Cancel() override {
    ended_.Set();
    co_return;
  }

  Task<Result<TransformResponse>> Transform(Callback, TransformRequest) override { co_return NoCallbacks(); }
  Task<Result<TransformInvokeResponse>> TransformInvoke(Callback, TransformInvokeRequest) override {
    co_return NoCallbacks();
  }
  Task<Status> RunHook(Callback, ResourceHookRequest) override { co_return NoCallbacks(); }
  Task<Result<bool>> RunErrorHook(Callback, ErrorHookRequest) override { co_return NoCallbacks(); }

 private:
  static Status NoCallbacks() { return Status(Code::kUnimplemented, "no callbacks"); }
  Task<void> RegisterNext();
  Task<void> RegisterStack();

  Loop& loop_;
  const int count_, changed_;
  Event ended_;
  Monitor* monitor_ = nullptr;
  std::string stack_urn_;
  int next_ = 0, answered_ = 0;
  bool failed_ = false;
  std::map<std::string, int> asked_;
};

}  // namespace kingpost::bench
