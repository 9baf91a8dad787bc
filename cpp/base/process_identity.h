// SPDX-License-Identifier: Apache-2.0
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
  std::string machine;  // a hash of the machine's id; "" in containers, whose id is that of their image
  std::string boot_id;
  std::string pid_namespace;
  uint64_t start_time = 0;  // clock ticks since boot
};

ProcessIdentity ThisProcess();

// Whether a process of that number runs in our namespace of them. One that was killed runs no more, though its parent
// has not fetched its status: under a first process that is no init, as in most containers, nobody ever does.
bool IsRunning(int pid);

enum class Liveness {
  kRuns,
  kGone,     // certain: its process number is unused, or used by a younger process, or by a zombie, or its machine was
             // restarted
  kUnknown,  // it runs elsewhere, or too little is known of it
};

// As process numbers are seen by `self`.
//
//     same host name, boot ID, namespace of process numbers:  the number and its start time decide
//     another boot ID:                                  gone if it is this machine, which was restarted; else unknown
//     anything not known on either side:                unknown. Containers made of one image share host name and
//                                                       machine ID, so these alone say nothing.
Liveness LivenessSeenBy(const ProcessIdentity& process, const ProcessIdentity& self);

// The same, seen by this process.
Liveness LivenessOf(const ProcessIdentity& process);

}  // namespace kingpost
