// SPDX-License-Identifier: Apache-2.0
#include "processes/peer_user.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <vector>

#include "base/os.h"

namespace kingpost {

namespace {

struct Ends {
  sockaddr_in theirs = {}, ours = {};
};

Status Unknown(const std::string& why) {
  return Status(Code::kPermissionDenied, "cannot tell whose connection this is: " + why);
}

Result<Ends> EndsOf(int connection) {
  Ends ends;
  socklen_t size = sizeof ends.theirs;
  if (getpeername(connection, reinterpret_cast<sockaddr*>(&ends.theirs), &size) != 0) {
    return Unknown(std::strerror(errno));
  }
  size = sizeof ends.ours;
  if (getsockname(connection, reinterpret_cast<sockaddr*>(&ends.ours), &size) != 0) {
    return Unknown(std::strerror(errno));
  }
  if (ends.theirs.sin_family != AF_INET || ends.ours.sin_family != AF_INET) return Unknown("it is not over IPv4");
  return ends;
}

// A socket without an owner (its program connected, wrote and closed) is shown as root's: without an inode it proves
// nothing.
Result<uid_t> Owner(uint32_t uid, uint64_t inode) {
  if (inode == 0) return Unknown("its other end is closed");
  return static_cast<uid_t>(uid);
}

// The reply to a request for one socket: the socket, or an error.
Result<uid_t> ReadReply(const char* reply, size_t bytes) {
  const auto* header = reinterpret_cast<const nlmsghdr*>(reply);
  if (!NLMSG_OK(header, bytes)) return Unknown("a short answer from the kernel");
  if (header->nlmsg_type == NLMSG_ERROR) {
    const auto* error = static_cast<const nlmsgerr*>(NLMSG_DATA(header));
    return Unknown(std::strerror(-error->error));
  }
  if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof(inet_diag_msg))) {
    return Unknown("an answer of another kind from the kernel");
  }
  const auto* found = static_cast<const inet_diag_msg*>(NLMSG_DATA(header));
  return Owner(found->idiag_uid, found->idiag_inode);
}

std::string Spell(const sockaddr_in& end, const char* prefix) {
  char text[64];
  std::snprintf(text, sizeof text, "%s%08X:%04X", prefix, end.sin_addr.s_addr, ntohs(end.sin_port));
  return text;
}

Result<uid_t> UserFromFile(const char* path, const char* prefix, const Ends& ends) {
  const Result<std::string> table = ReadWholeFile(path);
  if (!table.ok()) return Unknown(table.status().message());
  return UserFromTable(*table, Spell(ends.theirs, prefix), Spell(ends.ours, prefix));
}

}  // namespace

Result<uid_t> UserFromSockDiag(int connection) {
  auto ends = EndsOf(connection);
  if (!ends.ok()) return ends.status();
  struct {
    nlmsghdr header;
    inet_diag_req_v2 question;
  } request = {};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;  // this one socket, not a list
  request.question.sdiag_family = AF_INET;
  request.question.sdiag_protocol = IPPROTO_TCP;
  request.question.idiag_states = ~0U;
  request.question.id.idiag_sport = ends->theirs.sin_port;
  request.question.id.idiag_dport = ends->ours.sin_port;
  request.question.id.idiag_src[0] = ends->theirs.sin_addr.s_addr;
  request.question.id.idiag_dst[0] = ends->ours.sin_addr.s_addr;
  request.question.id.idiag_cookie[0] = request.question.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;

  const int kernel = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (kernel < 0) return Unknown(std::strerror(errno));
  const timeval patience = {1, 0};
  setsockopt(kernel, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  alignas(nlmsghdr) char reply[4096];
  ssize_t bytes = -1;
  if (send(kernel, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request)) {
    bytes = recv(kernel, reply, sizeof reply, 0);
  }
  const int error = errno;
  close(kernel);
  if (bytes < 0) return Unknown(std::strerror(error));
  return ReadReply(reply, static_cast<size_t>(bytes));
}

// "  sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt   uid  timeout inode ..."
Result<uid_t> UserFromTable(const std::string& table, const std::string& their_end, const std::string& our_end) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retries;
    uint32_t uid = 0, timeout = 0;
    uint64_t inode = 0;
    if (!(fields >> number >> local >> remote >> state >> queues >> timer >> retries >> uid >> timeout >> inode)) {
      continue;
    }
    if (local == their_end && remote == our_end) return Owner(uid, inode);
  }
  return Unknown("no socket of this machine is its other end");
}

Result<uid_t> UserOfPeer(int connection) {
  auto user = UserFromSockDiag(connection);
  if (user.ok()) return user;
  // Sandboxes leave the diagnosis out, but have the tables.
  auto ends = EndsOf(connection);
  if (!ends.ok()) return ends.status();
  auto listed = UserFromFile("/proc/net/tcp", "", *ends);
  if (listed.ok()) return listed;
  // A program that made an IPv6 socket and connected to ::ffff:127.0.0.1.
  return UserFromFile("/proc/net/tcp6", "0000000000000000FFFF0000", *ends);
}

}  // namespace kingpost
