// SPDX-License-Identifier: Apache-2.0
#include "processes/command_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "processes/plugin_environment.h"

namespace kingpost {

namespace {

std::string ReadToEnd(int fd) {
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<size_t>(count));
  }
}

bool EndsWell(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::vector<char*> PointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::optional<std::string> OutputOf(const std::vector<std::string>& argv, const std::string& folder) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const std::vector<std::string> environment = PluginEnvironment({});
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, argv[0].c_str(), &actions, nullptr, PointersTo(argv).data(),
                                    PointersTo(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text = failed == 0 ? ReadToEnd(ends[0]) : "";
  ::close(ends[0]);
  if (failed != 0 || !EndsWell(child)) return std::nullopt;
  return text;
}

std::vector<std::string> SplitAtZeros(const std::string& output) {
  std::vector<std::string> texts;
  for (size_t begin = 0; begin < output.size();) {
    const size_t end = std::min(output.find('\0', begin), output.size());
    if (end > begin) texts.push_back(output.substr(begin, end - begin));
    begin = end + 1;
  }
  return texts;
}

}  // namespace kingpost
