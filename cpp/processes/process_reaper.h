// SPDX-License-Identifier: Apache-2.0
// The reaper: a small child process that starts all others and outlives none of them, so that no plugin is left
// behind however this process ends, kill -9 included.
//
//   this process ──socket──▶ reaper ──fork/exec──▶ plugin ──▶ its children
//
// The reaper is forked without exec, at any time and from any thread (processes/reaper_main.h lists the conditions of
// that). It runs one thread, and keeps no file of ours open but the socket. At a farewell, or when the socket closes
// without one because this process has died, the reaper ends every descendant. It spares those with a session of their
// own, such as a wanted daemon. It is gentle first, and takes about a second. After a death it also removes the
// registered temporary folders. If the reaper itself is killed, the kernel kills the plugins (PR_SET_PDEATHSIG).
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

// argv[0] is looked up on PATH unless it has a slash.
struct ProcessSpec {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "NAME=value", all of it
  std::string working_directory;         // "" for ours
};

// The spec as the payload of a spawn. No text in it may have a zero.
std::string EncodeSpawn(const ProcessSpec& spec);

struct ReaperHandle {
  pid_t pid = -1;
  int socket = -1;
};
// Forks. Best called early, while this process is small: the reaper shares its memory from then.
Result<ReaperHandle> StartReaper();

}  // namespace kingpost
