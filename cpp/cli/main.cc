// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>

#include "cli/app.h"
#include "cli/core_dumps.h"

int main(int argc, char** argv) {
  kingpost::KeepMemoryToOurselves();
  const int status = kingpost::RunCommandLine({argv + 1, argv + argc});
  std::fflush(nullptr);
  // Not exit(): tearing down a large snapshot and idle servers takes time and gains nothing.
  ::_exit(status);
}
