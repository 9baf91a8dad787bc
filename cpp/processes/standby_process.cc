// SPDX-License-Identifier: Apache-2.0
#include "processes/standby_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace kingpost {

namespace {

constexpr size_t kKeptBytesMax = 1 << 20;  // of what it prints before it is taken

}  // namespace

// Between the supervisor's thread and the taker of the process: keeps the events before that.
struct StandbyProcess::Relay {
  std::mutex mutex;
  std::vector<std::pair<OutputStream, std::string>> kept;
  size_t kept_bytes = 0;
  std::optional<ProcessExit> exit;
  ProcessHandler handler;  // once it is taken

  void TakeOutput(OutputStream stream, std::string_view bytes) {
    const std::lock_guard lock(mutex);
    if (handler.on_output) return handler.on_output(stream, bytes);
    if (kept_bytes >= kKeptBytesMax) return;
    kept_bytes += bytes.size();
    kept.emplace_back(stream, bytes);
  }

  void TakeExit(ProcessExit how) {
    const std::lock_guard lock(mutex);
    exit = how;
    if (handler.on_exit) handler.on_exit(how);
  }

  void Attach(ProcessHandler to) {
    const std::lock_guard lock(mutex);
    handler = std::move(to);
    for (const auto& [stream, bytes] : kept) handler.on_output(stream, bytes);
    kept.clear();
    if (exit) handler.on_exit(*exit);
  }
};

Result<std::shared_ptr<StandbyProcess>> StandbyProcess::Start(std::shared_ptr<ProcessSupervisor> supervisor,
                                                              const ProcessSpec& spec) {
  return Begin(supervisor, [&supervisor, &spec](ProcessHandler handler, int input) {
    return supervisor->Spawn(spec, std::move(handler), input);
  });
}

Result<std::shared_ptr<StandbyProcess>> StandbyProcess::Fork(std::shared_ptr<ProcessSupervisor> supervisor,
                                                             ForkServer& server,
                                                             const std::function<bool()>& gives_up) {
  return Begin(supervisor, [&](ProcessHandler handler, int input) {
    return supervisor->Fork(server, std::move(handler), input, gives_up);
  });
}

Result<std::shared_ptr<StandbyProcess>> StandbyProcess::Begin(std::shared_ptr<ProcessSupervisor> supervisor,
                                                              const Starter& start) {
  int input[2];  // a socket, not a pipe: to write to one that has ended must raise no signal
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) {
    return Status(Code::kResourceExhausted, std::string("cannot start a process: ") + std::strerror(errno));
  }
  auto relay = std::make_shared<Relay>();
  ProcessHandler handler;
  handler.on_output = [relay](OutputStream stream, std::string_view bytes) { relay->TakeOutput(stream, bytes); };
  handler.on_exit = [relay](ProcessExit exit) { relay->TakeExit(exit); };
  const Result<int> id = start(std::move(handler), input[1]);
  close(input[1]);
  if (!id.ok()) {
    close(input[0]);
    return id.status();
  }
  return std::shared_ptr<StandbyProcess>(new StandbyProcess(std::move(supervisor), std::move(relay), input[0], *id));
}

StandbyProcess::StandbyProcess(std::shared_ptr<ProcessSupervisor> supervisor, std::shared_ptr<Relay> relay, int input,
                               int id)
    : supervisor_(std::move(supervisor)), relay_(std::move(relay)), input_(input), id_(id) {}

StandbyProcess::~StandbyProcess() {
  if (input_ >= 0) close(input_);
  if (!taken_ && waits()) supervisor_->Signal(id_, SIGKILL);
}

bool StandbyProcess::waits() const {
  const std::lock_guard lock(relay_->mutex);
  return !relay_->exit;
}

std::shared_ptr<PluginProcess> StandbyProcess::Take(Loop& loop, PluginProcessOptions options) {
  KP_ASSERT(!taken_, "a standby process is taken once");
  taken_ = true;
  return PluginProcess::Adopt(loop, supervisor_, id_, std::move(options),
                              [this](ProcessHandler handler) { relay_->Attach(std::move(handler)); });
}

void StandbyProcess::Tell(const std::string& message) {
  size_t done = 0;
  while (done < message.size()) {
    const ssize_t n = send(input_, message.data() + done, message.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  close(std::exchange(input_, -1));
}

}  // namespace kingpost
