// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>

#include "cli/app.h"
#include "cli/core_dumps.h"
#include "cli/system_limits.h"
#include "cli/thread_stacks.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

int main(int argc, char** argv) {
  kingpost::InstallFatalHandlers();
  kingpost::RaiseOpenFilesLimit();
  kingpost::ProtectProcessMemory();
  kingpost::RaiseThreadStackSize();
  const int status = kingpost::RunCommandLine({argv + 1, argv + argc});
  std::fflush(nullptr);
#ifdef __SANITIZE_ADDRESS__
  __lsan_do_leak_check();  // _exit() passes by the handler that would
#endif
  // Not exit(): tearing down a large snapshot and idle servers takes time and gains nothing.
  ::_exit(status);
}
