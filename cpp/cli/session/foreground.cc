// SPDX-License-Identifier: Apache-2.0
#include "cli/session/foreground.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/session/exit_code.h"
#include "console/display/output.h"
#include "processes/command_output.h"

namespace kingpost {

namespace {

// Interrupts are left to a child, which has the terminal as well.
class IgnoredInterrupts {
 public:
  IgnoredInterrupts() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    for (size_t i = 0; i < 2; ++i) sigaction(kKeys[i], &ignore, &former_[i]);
  }
  ~IgnoredInterrupts() {
    for (size_t i = 0; i < 2; ++i) sigaction(kKeys[i], &former_[i], nullptr);
  }
  IgnoredInterrupts(const IgnoredInterrupts&) = delete;

  static sigset_t Signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int key : kKeys) sigaddset(&set, key);
    return set;
  }

 private:
  static constexpr int kKeys[] = {SIGINT, SIGQUIT};
  struct sigaction former_[2];
};

// The wait status of its end.
Result<int> RunToItsEnd(const ProcessSpec& spec, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, spec.working_directory.c_str());
  if (output != STDOUT_FILENO) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const sigset_t defaults = IgnoredInterrupts::Signals();
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, spec.argv[0].c_str(), &actions, &attributes, PointersTo(spec.argv).data(),
                                  PointersTo(spec.environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Fail(ExitCode::kFailed, spec.argv[0] + ": " + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Fail(ExitCode::kFailed, spec.argv[0] + ": " + std::strerror(errno));
  }
  return status;
}

}  // namespace

Status RunInForeground(const ProcessSpec& spec, int output) {
  const Result<int> status = RunToItsEnd(spec, output);
  if (!status.ok()) return status.status();
  if (*status == 0) return Status::Ok();
  std::string line;
  for (const std::string& argument : spec.argv) line += (line.empty() ? "" : " ") + argument;
  return Fail(ExitCode::kFailed, "`" + line + "` failed");
}

Status RunStepInForeground(const DependencyStep& step, int output) {
  const Status taken = step.act ? step.act() : RunInForeground(step.command, output);
  if (taken.ok() && !step.done.empty()) Output(output).Write(step.done + "\n");
  return taken;
}

Result<int> RunDelegate(const ProcessSpec& spec) {
  const IgnoredInterrupts ours;
  const Result<int> status = RunToItsEnd(spec, STDOUT_FILENO);
  if (!status.ok()) return status;
  return WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
}

}  // namespace kingpost
