// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <cstdio>
#include <cstdlib>

namespace kingpost {

void AssertionFailed(const char* condition, const char* message, const char* file, int line) {
  std::fprintf(stderr, "kingpost: internal error at %s:%d: %s (%s)\n", file, line, message, condition);
  std::fflush(stderr);
  std::abort();
}

}  // namespace kingpost
