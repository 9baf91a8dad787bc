// SPDX-License-Identifier: Apache-2.0
// Plugins and policy packs whose sources are in Go: built once, then taken from a cache (runtimes/go_build_cache.h).
// Loop thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "processes/process_supervisor.h"
#include "processes/program_runner.h"
#include "runtimes/go_build_cache.h"
#include "runtimes/go_command.h"
#include "runtimes/progress_reporter.h"

namespace kingpost {

class GoBuilds {
 public:
  GoBuilds(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor, ProgressSink on_progress)
      : loop_(loop), supervisor_(std::move(supervisor)), on_progress_(std::move(on_progress)) {}
  GoBuilds(const GoBuilds&) = delete;

  // The program of the sources in `folder`. `what` is for people: "plugin random". The same folder is built once at a
  // time. What the compiler says is in the error. The pool and this object outlive the task.
  Task<Result<std::string>> ProgramOf(WorkerPool& workers, std::string folder, std::string what, GoBuild build);
  // Ends compilers, and starts none any more.
  void Cancel();

 private:
  struct Pending {
    explicit Pending(Loop& loop) : done(loop) {}
    Event done;
    Result<std::string> program = std::string();
  };
  using Runner = std::shared_ptr<ProgramRunner>;

  Task<Result<std::string>> FindOrBuild(WorkerPool& workers, std::string folder, std::string what, GoBuild build);
  Task<Status> Compile(Runner runner, std::string folder, std::string target, GoBuild build);

  Loop& loop_;
  const std::shared_ptr<ProcessSupervisor> supervisor_;
  const ProgressSink on_progress_;  // may be null
  bool cancelled_ = false;
  std::map<std::pair<std::string, GoBuild>, std::shared_ptr<Pending>> pending_;  // by folder, while it is built
  std::vector<Runner> runners_;
  std::vector<std::shared_ptr<const void>> for_once_;  // programs that are in no cache: of this operation
};

}  // namespace kingpost
