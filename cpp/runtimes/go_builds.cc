// SPDX-License-Identifier: Apache-2.0
#include "runtimes/go_builds.h"

#include "base/os.h"
#include "processes/plugin_environment.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

Task<Result<std::string>> GoBuilds::ProgramOf(WorkerPool& workers, std::string folder, std::string what,
                                              GoBuild build) {
  const std::pair key(folder, build);
  if (const auto known = pending_.find(key); known != pending_.end()) {
    const auto pending = known->second;
    co_await pending->done;
    co_return pending->program;
  }
  const auto pending = std::make_shared<Pending>(loop_);
  pending_[key] = pending;
  auto building = FindOrBuild(workers, folder, std::move(what), build);
  pending->program = co_await std::move(building);
  pending_.erase(key);
  pending->done.Set();
  co_return pending->program;
}

Task<Result<std::string>> GoBuilds::FindOrBuild(WorkerPool& workers, std::string folder, std::string what,
                                                GoBuild build) {
  const auto cache = GoBuildCache::Open();
  if (!cache.ok()) co_return cache.status().Wrap("the " + what + " is in Go and has to be built");
  const GoSources sources{folder, build};
  auto finding = cache->Find(workers, sources);
  std::string found = co_await std::move(finding);
  if (!found.empty()) co_return found;
  if (cancelled_) co_return Status(Code::kCancelled, "the " + what + " was not built: the operation is cancelled");
  if (FindOnPath("go").empty()) {
    co_return Status(Code::kNotFound, "unable to find 'go' executable: install Go and put it on PATH, or build the " +
                                          what + " in " + folder + " into an executable");
  }
  ProgressReporter progress(on_progress_, "plugin-install", what, "Compiling");
  progress.Update(0, 0);
  const auto runner = std::make_shared<ProgramRunner>(loop_, supervisor_, "go (" + what + ")");
  runners_.push_back(runner);
  GoCompiler compile = [this, runner, folder, build](std::string target) {
    return Compile(runner, folder, std::move(target), build);
  };
  auto building = cache->Build(workers, *runner, sources, std::move(compile), supervisor_);
  auto built = co_await std::move(building);
  std::erase(runners_, runner);
  if (!built.ok()) co_return built.status().Wrap("the " + what + " in " + folder);
  if (built->temporary_folder) for_once_.push_back(built->temporary_folder);
  co_return built->path;
}

Task<Status> GoBuilds::Compile(Runner runner, std::string folder, std::string target, GoBuild build) {
  ProcessSpec spec;
  spec.argv = GoBuildCommand("go", target, build);
  spec.environment = PluginEnvironment({});
  spec.working_directory = folder;
  std::string errors;
  auto building = runner->RunToEnd(
      std::move(spec), [](OutputStream, const std::string&) {}, &errors);
  const auto exit = co_await std::move(building);
  if (!exit.ok()) co_return exit.status();
  if (!exit->ok()) {
    co_return Status(Code::kInvalidArgument, "error in compiling Go: unable to run `go build`: " + exit->Describe() +
                                                 (errors.empty() ? "" : "\n") + errors);
  }
  co_return CheckGoProgram(target);
}

void GoBuilds::Cancel() {
  cancelled_ = true;
  for (const auto& runner : runners_) loop_.Spawn(runner->Cancel());
}

}  // namespace kingpost
