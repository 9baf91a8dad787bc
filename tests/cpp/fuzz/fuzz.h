// SPDX-License-Identifier: Apache-2.0
// The common part of the fuzzers.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/status.h"

// Ends the program with a report, which libFuzzer takes for a finding.
#define FUZZ_CHECK(condition, what)                                                     \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      std::fprintf(stderr, "not so: %s (%s)\n", #condition, std::string(what).c_str()); \
      std::abort();                                                                     \
    }                                                                                   \
  } while (false)

// Runs one input. Each fuzzer defines it once.
void Try(std::string_view input);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
