// SPDX-License-Identifier: Apache-2.0
#include "processes/process_reaper.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "processes/reaper_main.h"

namespace kingpost {

std::string EncodeSpawn(const ProcessSpec& spec) {
  std::string payload = spec.working_directory + '\0' + std::to_string(spec.argv.size()) + '\0';
  for (const std::string& text : spec.argv) payload += text + '\0';
  for (const std::string& text : spec.environment) payload += text + '\0';
  return payload;
}

Result<ReaperHandle> StartReaper() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Status(Code::kInternal, std::string("cannot start the process that watches plugins: ") + strerror(errno));
  }
  const pid_t pid = ForkWithoutHandlers();
  if (pid == 0) ReaperMain(sockets[1]);
  const int error = errno;
  close(sockets[1]);
  if (pid < 0) {
    close(sockets[0]);
    return Status(Code::kInternal, std::string("cannot start the process that watches plugins: ") + strerror(error));
  }
  return ReaperHandle{pid, sockets[0]};
}

}  // namespace kingpost
