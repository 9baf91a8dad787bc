// SPDX-License-Identifier: Apache-2.0
#include "processes/guarded_port.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/os.h"
#include "processes/peer_user.h"

namespace kingpost {

namespace {

constexpr int kBacklog = 1024;
// Out of file descriptors or memory: try again a little later instead of at once and for ever.
constexpr int kShortageMs = 100;

constexpr char kRemedy[] =
    "; only the user who runs the operation is served. If a program or plugin of yours runs as another user on "
    "purpose, set KINGPOST_TRUST_LOCAL_USERS=true";

Status CannotListen(int error) {
  return Status(Code::kUnavailable, std::string("could not listen on 127.0.0.1: ") + std::strerror(error) +
                                        ": check the limits on open files and sockets");
}

bool IsShortage(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

}  // namespace

bool TrustsLocalUsers() { return IsTruthy(GetEnvironment("KINGPOST_TRUST_LOCAL_USERS")); }

Status CheckPeer(int connection) {
  if (TrustsLocalUsers()) return Status::Ok();
  auto user = UserOfPeer(connection);
  if (!user.ok()) return Status(Code::kPermissionDenied, "refused a connection: " + user.status().message() + kRemedy);
  if (*user == geteuid() || *user == getuid() || *user == 0) return Status::Ok();
  return Status(Code::kPermissionDenied,
                "refused a connection of another user of this machine (uid " + std::to_string(*user) + ")" + kRemedy);
}

Result<std::unique_ptr<GuardedPort>> GuardedPort::Open(Acceptor acceptor, OnRefused on_refused) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return CannotListen(errno);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool listens = bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       listen(listener, kBacklog) == 0 &&
                       getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  const int wake = listens ? eventfd(0, EFD_CLOEXEC) : -1;
  if (wake < 0) {
    const int error = errno;
    close(listener);
    return CannotListen(error);
  }
  return std::unique_ptr<GuardedPort>(new GuardedPort(std::move(acceptor), std::move(on_refused), listener, wake,
                                                      "127.0.0.1:" + std::to_string(ntohs(address.sin_port))));
}

GuardedPort::GuardedPort(Acceptor acceptor, OnRefused on_refused, int listener, int wake, std::string address)
    : acceptor_(std::move(acceptor)),
      on_refused_(std::move(on_refused)),
      listener_(listener),
      wake_(wake),
      address_(std::move(address)),
      thread_([this] { Work(); }) {}

GuardedPort::~GuardedPort() {
  eventfd_write(wake_, 1);
  thread_.join();
  close(listener_);
  close(wake_);
}

void GuardedPort::Work() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are the main thread's business
  pollfd files[] = {{wake_, POLLIN, 0}, {listener_, POLLIN, 0}};
  while (poll(files, 2, -1) >= 0 || errno == EINTR) {
    if (files[0].revents) return;
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection >= 0) {
      Take(connection);
    } else if (IsShortage(errno)) {
      poll(files, 1, kShortageMs);
    }
  }
}

void GuardedPort::Take(int connection) {
  const Status allowed = CheckPeer(connection);
  if (!allowed.ok()) {
    close(connection);
    // A user who connects a thousand times causes one warning.
    if (on_refused_ && refused_.insert(allowed.message()).second) on_refused_(allowed);
    return;
  }
  const int yes = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  acceptor_(listener_, connection);
}

}  // namespace kingpost
