// SPDX-License-Identifier: Apache-2.0
// The program of a run: its language host, the packages it requires, the monitor it talks to, and its end. Engine
// thread.
#pragma once

#include <functional>
#include <vector>

#include "engine/default_providers.h"
#include "engine/executor.h"
#include "engine/monitor_service.h"

namespace kingpost::engine {

class Program {
 public:
  Program(Loop& loop, const Operation& operation) : operation_(operation), ended_(loop) {}

  // The requirements of a program that does not run. A project without a program requires nothing.
  Task<std::vector<RequiredPackage>> LearnPackages();
  // Fetches those that are missing, if the operation may.
  Task<void> InstallPlugins(std::vector<RequiredPackage> packages);

  // The parts are needed as long as this.
  Task<Status> Start(MonitorService* monitor, DefaultProviders* defaults, const Executor* executor);
  bool started() const { return host_ != nullptr; }
  // After Start, as a task of its own: resumes when the program has ended.
  Task<void> Run();
  // Called when Run ends.
  std::function<void()> on_ended;

  bool failed() const { return !status_.ok(); }
  // Its outcome; OK while it runs.
  const Status& status() const { return status_; }

  // Registrations that a program did not reach although it ended well (RunResponse::missing).
  const std::string& missing() const { return missing_; }

  // A run that went well lets the program end; one that was stopped ends it. Then nobody serves the monitor any more.
  Task<Status> End();

 private:
  const Operation& operation_;
  Event ended_;
  Status status_;
  std::string missing_;
  LanguageHostPtr host_;  // once started
  MonitorService* monitor_ = nullptr;
  const Executor* executor_ = nullptr;
};

}  // namespace kingpost::engine
