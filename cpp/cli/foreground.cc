// SPDX-License-Identifier: Apache-2.0
#include "cli/foreground.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/exit_code.h"
#include "cli/metadata/command_output.h"

namespace kingpost {

Status RunInForeground(const ProcessSpec& spec, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, spec.working_directory.c_str());
  if (output != STDOUT_FILENO) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, spec.argv[0].c_str(), &actions, nullptr, PointersTo(spec.argv).data(),
                                  PointersTo(spec.environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Fail(ExitCode::kFailed, spec.argv[0] + ": " + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Fail(ExitCode::kFailed, spec.argv[0] + ": " + std::strerror(errno));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Status::Ok();
  std::string line;
  for (const std::string& argument : spec.argv) line += (line.empty() ? "" : " ") + argument;
  return Fail(ExitCode::kFailed, "`" + line + "` failed");
}

}  // namespace kingpost
