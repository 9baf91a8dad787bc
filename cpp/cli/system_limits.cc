// SPDX-License-Identifier: Apache-2.0
#include "cli/system_limits.h"

#include <sys/resource.h>
#include <unistd.h>

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
constexpr std::string_view kNoFiles =
    "error: this command may open too few files; raise the limit (ulimit -n) to 64 at least and run it again\n";
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

}  // namespace

void SpeakBeforeTheEnd() {
  std::set_terminate(&OnTerminate);
  std::signal(SIGXFSZ, SIG_IGN);
}

void EnsureOpenFiles() {
  constexpr rlim_t kNeeded = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kNeeded) return;
  if (limit.rlim_max < kNeeded) End(kNoFiles);
  limit.rlim_cur = kNeeded;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) End(kNoFiles);
}

}  // namespace kingpost
