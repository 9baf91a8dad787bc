// SPDX-License-Identifier: Apache-2.0
// fleet worker: a process of a Dask cluster that deploys stacks for `up --all --on`.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/os.h"
#include "cli/commands/add_commands.h"
#include "cli/fleet/cluster.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"

namespace kingpost {

namespace {

struct WorkerOptions {
  std::string scheduler, name;
  int stacks = 0;  // 0: one for each core
};

// This process becomes the worker. What it needs is in its environment: where state is, the passphrase, credentials.
Status RunWorker(const WorkerOptions& options) {
  const Result<std::string> scheduler = Cluster::SchedulerOf(options.scheduler);
  if (!scheduler.ok()) return scheduler.status();
  if (options.stacks < 0) return UsageError("--stacks must not be negative");
  const Result<std::string> python = FindFleetPython();
  if (!python.ok()) return python.status();
  std::vector<std::string> argv = {*python, "-m", "kingpost._cluster_start", *scheduler};
  if (options.stacks > 0) argv.push_back("--stacks=" + std::to_string(options.stacks));
  if (!options.name.empty()) argv.push_back("--name=" + options.name);
  ::setenv("KINGPOST_COMMAND", OwnExecutable().c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& argument : argv) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  return Fail(ExitCode::kFailed, "cannot run " + *python + ": " + std::strerror(errno));
}

}  // namespace

void AddFleetCommands(Commands* commands) {
  commands->push_back(
      {"fleet worker", "Deploy stacks for a Dask cluster, until it is stopped", [](Flags& flags) -> CommandBody {
         auto options = std::make_shared<WorkerOptions>();
         flags.Argument("SCHEDULER", &options->scheduler, "The scheduler: dask://HOST:PORT", true);
         flags.Int("--stacks", &options->stacks, "How many stacks it deploys at a time (default: one per core)");
         flags.Text("--name", &options->name, "The name of the worker on the dashboard");
         return [options](Session&) { return RunWorker(*options); };
       }});
}

}  // namespace kingpost
