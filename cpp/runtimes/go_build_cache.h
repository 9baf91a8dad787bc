// SPDX-License-Identifier: Apache-2.0
// Programs in Go by what they were built of: plugins, policy packs and the user's programs (runtimes/build_cache.h). A
// program whose sources, modules and settings are as before is not built again, and no compiler runs to find that out.
// Loop thread; the pool's threads read the files.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/loop.h"
#include "processes/program_runner.h"
#include "runtimes/build_cache.h"
#include "runtimes/go_command.h"

namespace kingpost {

struct GoSources {
  std::string folder;
  GoBuild build = GoBuild::kDefault;
  std::map<std::string, std::string> environment = {};  // of the compiler, over ours
};

struct GoProgram {
  std::string path;
  std::shared_ptr<const void> temporary_folder =
      nullptr;  // not null: the program is not in the cache, and goes with this
};

// Builds the program of the sources, and leaves it at `target`.
using GoCompiler = std::function<Task<Status>(std::string target)>;

class GoBuildCache {
 public:
  // Fails if the user has no cache folder, or one that other users can write to.
  static Result<GoBuildCache> Open();

  // The program of the sources as they are now; "" if it is still to be built. The pool outlives the task.
  Task<std::string> Find(WorkerPool& workers, GoSources sources) const;
  // The same program, built now. It is not kept if `go` cannot list what it is built of, or after an edit during the
  // build, which may be in it, or may not. `guardian` removes what a kill would leave half-built. The other arguments
  // outlive the task.
  Task<Result<GoProgram>> Build(WorkerPool& workers, ProgramRunner& runner, GoSources sources, GoCompiler compile,
                                std::shared_ptr<ProcessSupervisor> guardian) const;

 private:
  explicit GoBuildCache(BuildCache cache) : cache_(std::move(cache)) {}
  BuildCache cache_;
};

}  // namespace kingpost
