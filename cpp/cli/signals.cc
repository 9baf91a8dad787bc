#include "cli/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "cli/display/output.h"
#include "cli/exit_code.h"

namespace kingpost {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr char kQuit = 'q';
constexpr char kSignal = 's';
constexpr int kTerminationLimitMs = 8000;

std::atomic<int> signal_pipe{-1};  // a signal may come on any thread
struct sigaction former[3];

void OnSignal(int) {
  const int saved = errno;
  (void)!::write(signal_pipe.load(), &kSignal, 1);
  errno = saved;
}

}  // namespace

OperationSignals::OperationSignals(Cancellation& cancellation) : cancellation_(cancellation) {
  if (::pipe2(pipe_, O_CLOEXEC) != 0) return;
  signal_pipe = pipe_[1];
  struct sigaction action {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < 3; ++i) ::sigaction(kSignals[i], &action, &former[i]);
  watcher_ = std::thread([this] { Watch(); });
}

OperationSignals::~OperationSignals() {
  if (!watcher_.joinable()) return;
  for (size_t i = 0; i < 3; ++i) ::sigaction(kSignals[i], &former[i], nullptr);
  (void)!::write(pipe_[1], &kQuit, 1);
  watcher_.join();
  ::close(pipe_[0]);
  ::close(pipe_[1]);
}

void OperationSignals::Watch() {
  Output to_user(STDERR_FILENO);
  int received = 0;
  while (true) {
    pollfd readable{pipe_[0], POLLIN, 0};
    const int ready = ::poll(&readable, 1, received >= 2 ? kTerminationLimitMs : -1);
    if (ready == 0) {
      to_user.Write("kingpost: operations in flight did not stop; leaving them to the next command\n");
      ::_exit(static_cast<int>(ExitCode::kCancelled));
    }
    char what = 0;
    if (ready < 0 || ::read(pipe_[0], &what, 1) != 1) continue;
    if (what == kQuit) return;
    if (++received == 1) {
      to_user.Write(
          "\nreceived an interrupt; finishing what is in flight, then stopping. A second one stops at once and leaves "
          "operations pending.\n");
      cancellation_.Cancel();
    } else if (received == 2) {
      to_user.Write("\nreceived another interrupt; stopping now\n");
      cancellation_.Terminate();
    }
  }
}

}  // namespace kingpost
