// SPDX-License-Identifier: Apache-2.0
#include "cli/system_limits.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include "cli/session/exit_code.h"

namespace kingpost {

namespace {

constexpr std::string_view kNoThreads =
    "error: the system gives this command no more threads or processes. Raise the limit (ulimit -u, pids.max of a "
    "container, or memory for their stacks) and run it again; nothing is lost\n";
constexpr std::string_view kFewFiles =
    "error: this command may open too few files. Raise the limit (ulimit -n) to 64 at least beside those that are open "
    "already, and run it again\n";
constexpr std::string_view kNoFiles =
    "error: the system gives this command no more open files. Raise the limit (ulimit -n, or fs.file-max of the "
    "system) and run it again; nothing is lost\n";
constexpr std::string_view kNoMemory =
    "error: the system gives this command no more memory. Give it more and run it again; nothing is lost\n";

// Without allocations, and without anything that other threads might hold.
[[noreturn]] void End(std::string_view words) {
  (void)!::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(static_cast<int>(ExitCode::kFailed));
}

[[noreturn]] void OnTerminate() {
  try {
    if (const auto exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) End(kNoThreads);
  } catch (const std::bad_alloc&) {
    End(kNoMemory);
  } catch (...) {
  }
  std::abort();
}

// Libraries abort where the system refuses what they take for granted: gRPC without an eventfd or a thread. Which of
// them it is, is tried out here, by nothing but system calls.
void OnAbort(int /*signal*/) {
  if (::dup(STDERR_FILENO) < 0 && (errno == EMFILE || errno == ENFILE)) End(kNoFiles);
  constexpr size_t kStackOfAThread = size_t{8} << 20;
  void* stack =
      ::mmap(nullptr, kStackOfAThread, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) End(kNoMemory);
  const long child = ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) ::_exit(0);
  if (child < 0 && errno == EAGAIN) End(kNoThreads);
  std::signal(SIGABRT, SIG_DFL);
  ::raise(SIGABRT);
}

}  // namespace

void InstallFatalHandlers() {
  std::set_terminate(&OnTerminate);
  std::signal(SIGABRT, &OnAbort);
  std::signal(SIGXFSZ, SIG_IGN);
}

void RaiseOpenFilesLimit() {
  constexpr rlim_t kNeeded = 64;  // what a command with a few plugins opens, and some more
  constexpr rlim_t kNeededFree = 40;
  constexpr rlim_t kEnough = 4096;  // not more: some programs close all that they might have inherited
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min(limit.rlim_max, kEnough);
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = wanted;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) End(kFewFiles);
  }
  if (limit.rlim_cur < kNeeded) End(kFewFiles);
  rlim_t free = 0;
  for (rlim_t file = 0; file < limit.rlim_cur && free < kNeededFree; ++file) {
    if (::fcntl(static_cast<int>(file), F_GETFD) < 0) ++free;
  }
  if (free < kNeededFree) End(kFewFiles);
}

}  // namespace kingpost
