// SPDX-License-Identifier: Apache-2.0
#include "cli/thread_stacks.h"

#include <pthread.h>

#include <cstddef>

namespace kingpost {

namespace {

// A value of 3,333 levels is read, copied and written by recursion, of protobuf and of our own, in a good 2 MiB. That
// is all a thread has where the stack is unlimited: glibc takes the limit for its size, and 2 MiB if there is none.
// What is not used costs addresses alone.
constexpr size_t kStackBytes = size_t{16} << 20;

}  // namespace

void RaiseThreadStackSize() {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  size_t bytes = 0;
  const bool is_small = pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes < kStackBytes;
  if (is_small && pthread_attr_setstacksize(&attributes, kStackBytes) == 0) {
    (void)pthread_setattr_default_np(&attributes);  // refused where addresses are short: then it stays as it was
  }
  pthread_attr_destroy(&attributes);
}

}  // namespace kingpost
