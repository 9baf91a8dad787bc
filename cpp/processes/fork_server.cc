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

constexpr int kForkMaxMs = 10000;  // with all that it has to import before

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

Result<pid_t> ForkServer::Fork(int input, int output, int errors) {
  const std::lock_guard lock(mutex_);
  if (!forks_) return Status(Code::kUnavailable, "the fork server has failed before");
  Result<pid_t> pid = Ask(input, output, errors);
  forks_ = pid.ok();
  return pid;
}

Result<pid_t> ForkServer::Ask(int input, int output, int errors) const {
  const Status gone(Code::kUnavailable, "the fork server has ended");
  if (!SendWithFiles(socket_, "f", 1, {input, output, errors})) return gone;
  pollfd answer = {socket_, POLLIN, 0};
  int ready = 0;
  while ((ready = poll(&answer, 1, kForkMaxMs)) < 0 && errno == EINTR) {
  }
  if (ready <= 0) return Status(Code::kDeadlineExceeded, "the fork server does not answer");
  int32_t pid = 0;
  if (recv(socket_, &pid, sizeof pid, 0) != static_cast<ssize_t>(sizeof pid) || pid <= 0) return gone;
  return pid;
}

}  // namespace kingpost
