// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/helper_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

extern char** environ;

namespace kingpost {

namespace {

constexpr std::chrono::seconds kHelperPatience{60};
constexpr size_t kHelperOutputMax = 1024 * 1024;

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> HelperEnvironment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    if (std::strncmp(*entry, "PULUMI_CONFIG_PASSPHRASE", 24) != 0) environment.emplace_back(*entry);
  }
  return environment;
}

// In a group of its own, so that what it started ends with it.
int Spawn(const std::vector<std::string>& argv, int output, pid_t* child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const std::vector<std::string> environment = HelperEnvironment();
  const int failed = ::posix_spawnp(child, argv[0].c_str(), &actions, &attributes, Pointers(argv).data(),
                                    Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

// False if the helper takes too long or tells too much.
bool ReadOutput(int fd, std::string* text) {
  const auto deadline = std::chrono::steady_clock::now() + kHelperPatience;
  char buffer[4096];
  while (text->size() <= kHelperOutputMax) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waited{fd, POLLIN, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(left.count()));
    if (left.count() <= 0 || ready == 0) return false;
    const ssize_t count = ready < 0 ? -1 : ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    text->append(buffer, static_cast<size_t>(count));
  }
  return false;
}

int WaitFor(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

}  // namespace

Result<std::string> RunHelper(const std::vector<std::string>& argv) {
  const std::string name = "the command '" + argv[0] + "'";
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Status(Code::kResourceExhausted, name + ": " + std::strerror(errno));
  pid_t child = 0;
  const int failed = Spawn(argv, ends[1], &child);
  ::close(ends[1]);
  std::string text;
  const bool whole = failed == 0 && ReadOutput(ends[0], &text);
  ::close(ends[0]);
  if (failed == ENOENT) return Status(Code::kNotFound, name + " is not on PATH");
  if (failed != 0) return Status(Code::kUnavailable, name + " could not be started: " + std::strerror(failed));
  if (!whole) ::kill(-child, SIGKILL);
  const int status = WaitFor(child);
  if (!whole) return Status(Code::kDeadlineExceeded, name + " gave no answer within a minute");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  return Status(Code::kUnavailable,
                name + (WIFEXITED(status) ? " ended with exit code " + std::to_string(WEXITSTATUS(status))
                                          : std::string(" was killed")));
}

}  // namespace kingpost
