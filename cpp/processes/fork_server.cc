// SPDX-License-Identifier: Apache-2.0
#include "processes/fork_server.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "processes/file_passing.h"

namespace kingpost {

namespace {

constexpr int kForever = -1;
constexpr int kForkMaxMs = 10000;
constexpr int kSliceMs = 100;

Status Gone() { return Status(Code::kUnavailable, "the fork server has ended"); }

}  // namespace

Result<std::shared_ptr<ForkServer>> ForkServer::Start(std::shared_ptr<ProcessSupervisor> supervisor,
                                                      const ProcessSpec& spec) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Status(Code::kResourceExhausted, "cannot start " + spec.argv.at(0) + ": " + std::strerror(errno));
  }
  const Result<int> id = supervisor->Spawn(spec, ProcessHandler(), sockets[1]);
  close(sockets[1]);
  if (!id.ok()) {
    close(sockets[0]);
    return id.status();
  }
  return std::shared_ptr<ForkServer>(new ForkServer(std::move(supervisor), sockets[0], *id));
}

ForkServer::~ForkServer() {
  close(socket_);
  supervisor_->Signal(id_, SIGKILL);  // it may still be importing; its forks lead groups of their own
}

Result<pid_t> ForkServer::Fork(int input, int output, int errors, const std::function<bool()>& gives_up) {
  const std::lock_guard lock(mutex_);
  if (!forks_) return Status(Code::kUnavailable, "the fork server has failed before");
  const Status ready = WaitUntilReady(gives_up);
  if (ready.code() == Code::kCancelled) return ready;  // nothing was asked yet, so others may go on with it
  Result<pid_t> pid = ready.ok() ? Ask(input, output, errors, gives_up) : Result<pid_t>(ready);
  forks_ = pid.ok();
  return pid;
}

Status ForkServer::WaitUntilReady(const std::function<bool()>& gives_up) {
  if (ready_) return Status();
  KP_TRY(WaitForAnswer(kForever, gives_up));
  char ready = 0;
  if (recv(socket_, &ready, 1, 0) != 1) return Gone();
  ready_ = true;
  return Status();
}

Result<pid_t> ForkServer::Ask(int input, int output, int errors, const std::function<bool()>& gives_up) const {
  if (!SendWithFiles(socket_, "f", 1, {input, output, errors})) return Gone();
  KP_TRY(WaitForAnswer(kForkMaxMs, gives_up));
  int32_t pid = 0;
  if (recv(socket_, &pid, sizeof pid, 0) != static_cast<ssize_t>(sizeof pid) || pid <= 0) return Gone();
  return pid;
}

Status ForkServer::WaitForAnswer(int most_ms, const std::function<bool()>& gives_up) const {
  pollfd answer = {socket_, POLLIN, 0};
  for (int waited_ms = 0; most_ms == kForever || waited_ms < most_ms; waited_ms += kSliceMs) {
    if (poll(&answer, 1, kSliceMs) > 0) return Status();
    if (gives_up()) return Status(Code::kCancelled, "nobody waits for the fork any more");
  }
  return Status(Code::kDeadlineExceeded, "the fork server does not answer");
}

}  // namespace kingpost
