// SPDX-License-Identifier: Apache-2.0
#include "cli/core_dumps.h"

#include <sys/prctl.h>

#include "base/os.h"

namespace kingpost {

void ProtectProcessMemory() {
  if (IsTruthy(GetEnvironment("KINGPOST_CORE_DUMPS"))) return;
  // Not RLIMIT_CORE: children inherit that, and collectors of cores (systemd-coredump, apport) need not heed it.
  ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace kingpost
