// SPDX-License-Identifier: Apache-2.0
#include "base/random_bytes.h"

#include <openssl/rand.h>

#include "base/status.h"

namespace kingpost {

std::string RandomBytes(size_t count) {
  std::string bytes(count, '\0');
  const int made = RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count));
  KP_ASSERT(made == 1, "the system's random source works");
  return bytes;
}

}  // namespace kingpost
