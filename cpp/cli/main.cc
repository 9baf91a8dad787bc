#include <unistd.h>

#include <cstdio>

#include "cli/app.h"

int main(int argc, char** argv) {
  const int status = kingpost::RunCommandLine({argv + 1, argv + argc});
  std::fflush(nullptr);
  // Not exit(): tearing down a large snapshot and idle servers takes time and gains nothing.
  ::_exit(status);
}
