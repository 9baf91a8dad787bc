// Which process something belongs to, so that one which is gone can be told from one which runs, across reused process
// numbers, restarts, containers and shared folders.
#pragma once

#include <cstdint>
#include <string>

namespace kingpost {

struct ProcessIdentity {
  int pid = 0;
  std::string username, hostname;
  // Empty or zero if unknown, as in locks of other tools.
  std::string machine;  // a hash of the machine's id
  std::string boot_id;
  std::string pid_namespace;
  uint64_t start_time = 0;  // clock ticks since boot
};

ProcessIdentity ThisProcess();

// True only if it is certain, judged from this process's view: same host, and restarted since, or the number is unused
// or used by a younger process.
bool IsDead(const ProcessIdentity& process);
bool IsDead(const ProcessIdentity& process, const ProcessIdentity& self);  // in the view of another process

}  // namespace kingpost
