// SPDX-License-Identifier: Apache-2.0
#include "cli/session/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/session/exit_code.h"
#include "console/display/output.h"

namespace kingpost {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr char kQuit = 'q';
constexpr char kSignal = 's';
constexpr int kTerminationLimitMs = 8000;

std::atomic<int> signal_pipe{-1};  // a signal may come on any thread

void OnSignal(int) {
  const int saved = errno;
  (void)!::write(signal_pipe.load(), &kSignal, 1);
  errno = saved;
}

// As the terminal was before anybody asked for a passphrase on it.
class Terminal {
 public:
  Terminal() : known_(::isatty(STDIN_FILENO) && ::tcgetattr(STDIN_FILENO, &before_) == 0) {}
  void Restore() const {
    if (known_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }

 private:
  termios before_{};
  bool known_;
};

}  // namespace

// The scopes that live, and the thread that reads signals while there are any.
class SignalWatch {
 public:
  static SignalWatch& Get() {
    static auto* watch = new SignalWatch;
    return *watch;
  }

  void Enter(SignalScope* scope) {
    if (scopes_.empty()) Start();
    const std::lock_guard<std::mutex> lock(mutex_);
    scopes_.push_back(scope);
  }

  void Leave(SignalScope* scope) {
    std::unique_lock<std::mutex> lock(mutex_);
    const bool ends = scope->parts_.ends_after && scope->received_ > 0;
    std::erase(scopes_, scope);
    if (ends && !scopes_.empty()) End();
    if (scope->received_ > 0) TellWatching();
    if (!scopes_.empty()) return;
    lock.unlock();
    Stop();
  }

 private:
  void Start() {
    if (pipe_[0] < 0 && ::pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0) return;
    for (char late = 0; ::read(pipe_[0], &late, 1) == 1;) continue;
    signal_pipe = pipe_[1];
    struct sigaction action {};
    action.sa_handler = OnSignal;
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < 3; ++i) ::sigaction(kSignals[i], &action, &former_[i]);
    watcher_ = std::thread([this] { Watch(); });
  }

  void Stop() {
    if (!watcher_.joinable()) return;
    for (size_t i = 0; i < 3; ++i) ::sigaction(kSignals[i], &former_[i], nullptr);
    (void)!::write(pipe_[1], &kQuit, 1);
    watcher_.join();
  }

  void Watch() {
    bool insists = false;  // two signals have come for what runs
    while (true) {
      pollfd readable{pipe_[0], POLLIN, 0};
      const int ready = ::poll(&readable, 1, insists ? kTerminationLimitMs : -1);
      if (ready == 0) GiveUp();
      char what = 0;
      if (ready < 0 || ::read(pipe_[0], &what, 1) != 1) continue;
      if (what == kQuit) return;
      insists = Take();
    }
  }

  bool Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (scopes_.empty()) return false;  // about to stop
    SignalScope& scope = *scopes_.back();
    const int number = ++scope.received_;
    switch (scope.parts_.kind) {
      case SignalScope::Kind::kHolding:
        End();
      case SignalScope::Kind::kWatching:
        scope.parts_.release();
        return false;
      case SignalScope::Kind::kSaving:
        Say("\nreceived an interrupt; the command ends when it has written the state\n");
        break;
      case SignalScope::Kind::kOperation:
        Interrupt(scope, number);
        break;
    }
    return number >= 2;
  }

  void Interrupt(SignalScope& scope, int number) {
    const bool tell = !scope.parts_.reported_by_display;
    if (number == 1) {
      if (tell)
        Say("\nreceived an interrupt; stopping when the running steps have ended. A second one stops at once and "
            "leaves operations pending.\n");
      scope.parts_.interrupt(1);
    } else if (number == 2) {
      if (tell) Say("\nreceived another interrupt; stopping now\n");
      scope.parts_.interrupt(2);
    }
  }

  // An operation may end well in spite of a signal that came at its very end.
  void TellWatching() {
    for (SignalScope* scope : scopes_) {
      if (scope->parts_.kind == SignalScope::Kind::kWatching) scope->parts_.release();
    }
  }

  // With the mutex held: nobody enters a scope any more.
  [[noreturn]] void End() {
    for (SignalScope* scope : scopes_) {
      if (scope->parts_.release) scope->parts_.release();
    }
    terminal_.Restore();
    Say("\nerror: interrupted\n");
    ::_exit(static_cast<int>(ExitCode::kFailed));
  }

  [[noreturn]] void GiveUp() {
    terminal_.Restore();
    Say("kingpost: the running steps did not stop; they are left as pending operations\n");
    ::_exit(static_cast<int>(ExitCode::kCancelled));
  }

  static void Say(std::string_view text) { Output(STDERR_FILENO).Write(text); }

  const Terminal terminal_;
  // Opened once: a handler on another thread may still write when the watch has stopped, and would write into whatever
  // file had the number next.
  int pipe_[2] = {-1, -1};
  struct sigaction former_[3];
  std::thread watcher_;
  std::mutex mutex_;
  std::vector<SignalScope*> scopes_;
};

SignalScope::SignalScope(Parts parts) : parts_(std::move(parts)) { SignalWatch::Get().Enter(this); }

SignalScope::~SignalScope() { SignalWatch::Get().Leave(this); }

}  // namespace kingpost
