// SPDX-License-Identifier: Apache-2.0
#include "engine/program.h"

namespace kingpost::engine {

Task<std::vector<RequiredPackage>> Program::LearnPackages() {
  std::vector<RequiredPackage> none;
  Task<Result<LanguageHostPtr>> loading = operation_.host->LoadLanguageHost();
  Result<LanguageHostPtr> host = co_await std::move(loading);
  if (!host.ok()) co_return none;
  Task<Result<std::vector<RequiredPackage>>> asking = (*host)->GetRequiredPackages();
  Result<std::vector<RequiredPackage>> packages = co_await std::move(asking);
  co_return packages.ok() ? std::move(*packages) : none;
}

Task<void> Program::InstallPlugins(std::vector<RequiredPackage> packages) {
  const bool cancelled = operation_.cancellation && operation_.cancellation->cancelled();
  if (packages.empty() || cancelled || !operation_.options.install_plugins) co_return;
  Task<void> installing = operation_.host->InstallPlugins(std::move(packages));
  co_await std::move(installing);
}

Task<Status> Program::Start(MonitorService* monitor, DefaultProviders* defaults, const Executor* executor) {
  Task<Result<LanguageHostPtr>> loading = operation_.host->LoadLanguageHost();
  Result<LanguageHostPtr> loaded = co_await std::move(loading);
  if (!loaded.ok()) co_return loaded.status();
  Task<Result<std::vector<RequiredPackage>>> asking = (*loaded)->GetRequiredPackages();
  Result<std::vector<RequiredPackage>> packages = co_await std::move(asking);
  if (!packages.ok()) co_return packages.status();
  Status set = defaults->SetRequired(*packages);
  if (!set.ok()) co_return set;
  Task<void> installing = InstallPlugins(std::move(*packages));
  co_await std::move(installing);
  Task<Result<std::string>> serving = operation_.host->ServeMonitor(monitor);
  Result<std::string> address = co_await std::move(serving);
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
  Task<Result<RunResponse>> running = host_->Run(std::move(request));
  Result<RunResponse> response = co_await std::move(running);
  if (executor_->stopped()) {
    // It was ended, or got no answers any more: what it makes of that is not news.
  } else if (!response.ok()) {
    status_ = response.status();
  } else if (response->bail) {
    status_ = Status::Bail("run bailed");
  } else if (!response->error.empty()) {
    status_ = Status(Code::kUnknown, "an unhandled error occurred: " + response->error);
  }
  ended_.Set();
  on_ended();
}

Task<Status> Program::End() {
  monitor_->Shutdown();
  if (executor_->stopped() && !ended_.is_set()) {
    Task<void> cancelling = host_->Cancel();
    co_await std::move(cancelling);
  }
  co_await ended_;
  if (executor_->stopped() && operation_.host->ends_with_process()) co_return status_;
  monitor_->ReleaseHeld();
  Task<void> stopping = operation_.host->StopMonitor();
  co_await std::move(stopping);
  co_return status_;
}

}  // namespace kingpost::engine
