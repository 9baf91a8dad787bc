// SPDX-License-Identifier: Apache-2.0
// A port on the loopback behind which a gRPC server serves one user only. The port checks each connection before it
// reads a byte, and closes it unless its other end is this user's or root's (processes/peer_user.h). Ports of
// gRPC itself serve every user of the machine.
//
// Owns the listening socket and the thread that accepts. Open and destroy on one thread; `on_refused` is called on its
// own.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "base/status.h"

namespace kingpost {

class GuardedPort {
 public:
  // Takes the ownership of a connection that may be served, with the socket that it came by.
  using Acceptor = std::function<void(int listener, int connection)>;
  // Told once for each user who is refused.
  using OnRefused = std::function<void(const Status& why)>;

  // The server of `acceptor` has started, and stays until this object has gone.
  static Result<std::unique_ptr<GuardedPort>> Open(Acceptor acceptor, OnRefused on_refused);
  ~GuardedPort();  // nothing listens any more; connections that were accepted live on
  GuardedPort(const GuardedPort&) = delete;

  const std::string& address() const { return address_; }  // "127.0.0.1:PORT"

 private:
  GuardedPort(Acceptor acceptor, OnRefused on_refused, int listener, int wake, std::string address);
  void Work();
  void Take(int connection);

  const Acceptor acceptor_;
  const OnRefused on_refused_;
  const int listener_, wake_;  // `wake_` is an eventfd: readable when it is over
  const std::string address_;
  std::set<std::string> refused_;  // what has been told
  std::thread thread_;
};

// KINGPOST_TRUST_LOCAL_USERS: every user of the machine is served, as other engines do. For programs and plugins that
// run as another user on purpose, as in the containers of one pod.
bool TrustsLocalUsers();

// Ok if this connection may be served, else what to tell.
Status CheckPeer(int connection);

}  // namespace kingpost
