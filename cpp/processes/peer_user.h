// SPDX-License-Identifier: Apache-2.0
// Finds the user at the other end of a connection over the loopback. The kernel knows the user of each socket of
// this machine, also where the protocol on it carries no credentials. Any thread.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/status.h"

namespace kingpost {

// The user who owns the socket at the other end of a TCP connection accepted from 127.0.0.1. Fails if nobody holds it
// any more, or if it is not of this machine.
Result<uid_t> UserOfPeer(int connection);

// The two ways to ask: the kernel's socket diagnosis, and its table as a text (`table` has the lines of /proc/net/tcp
// or /proc/net/tcp6; the ends are "HEXADDRESS:HEXPORT", as written there). For UserOfPeer and its tests.
Result<uid_t> UserFromSockDiag(int connection);
Result<uid_t> UserFromTable(const std::string& table, const std::string& their_end, const std::string& our_end);

}  // namespace kingpost
