// SPDX-License-Identifier: Apache-2.0
#include "engine/program.h"

namespace kingpost::engine {

Task<std::vector<RequiredPackage>> Program::LearnPackages() {
  std::vector<RequiredPackage> none;
  Result<LanguageHostPtr> host = co_await operation_.host->LoadLanguageHost();
  if (!host.ok()) co_return none;
  Result<std::vector<RequiredPackage>> packages = co_await (*host)->GetRequiredPackages();
  co_return packages.ok() ? std::move(*packages) : none;
}

Task<void> Program::InstallPlugins(std::vector<RequiredPackage> packages) {
  const bool cancelled = operation_.cancellation && operation_.cancellation->cancelled();
  if (packages.empty() || cancelled || !operation_.options.install_plugins) co_return;
  co_await operation_.host->InstallPlugins(std::move(packages));
}

Task<Status> Program::Start(MonitorService* monitor, DefaultProviders* defaults, const Executor* executor) {
  Result<LanguageHostPtr> loaded = co_await operation_.host->LoadLanguageHost();
  if (!loaded.ok()) co_return loaded.status();
  Result<std::vector<RequiredPackage>> packages = co_await (*loaded)->GetRequiredPackages();
  if (!packages.ok()) co_return packages.status();
  KP_CO_TRY(defaults->SetRequired(*packages));
  co_await InstallPlugins(std::move(*packages));
  Result<std::string> address = co_await operation_.host->ServeMonitor(monitor);
  if (!address.ok()) co_return address.status();
  monitor->set_address(*address);
  monitor_ = monitor;
  executor_ = executor;
  host_ = *loaded;
  co_return Status();
}

Task<void> Program::Run() {
  if (executor_->stopped()) {  // while it was being prepared: it never begins
    ended_.Set();
    on_ended();
    co_return;
  }
  RunRequest request;
  request.info = monitor_->GetDeploymentInfo();
  request.monitor_address = monitor_->address();
  Result<RunResponse> response = co_await host_->Run(std::move(request));
  if (executor_->stopped()) {
    // It was ended, or got no answers any more: what it makes of that is not news.
  } else if (!response.ok()) {
    status_ = response.status();
  } else if (response->bail) {
    status_ = Status::Bail("run bailed");
  } else if (!response->error.empty()) {
    status_ = Status(Code::kUnknown, "an unhandled error occurred: " + response->error);
  } else {
    missing_ = std::move(response->missing);
  }
  ended_.Set();
  on_ended();
}

Task<Status> Program::End() {
  monitor_->Shutdown();
  if (executor_->stopped() && !ended_.is_set()) {
    co_await host_->Cancel();
  }
  co_await ended_;
  if (executor_->stopped() && operation_.host->ends_with_process()) co_return status_;
  monitor_->ReleaseHeld();
  co_await operation_.host->StopMonitor();
  co_return status_;
}

}  // namespace kingpost::engine
