// SPDX-License-Identifier: Apache-2.0
// The services that this process waits for. The caller of a service says so here; the display tells the user. Any
// thread.
//
//     const WaitScope waiting("https://team.s3.amazonaws.com");
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace kingpost {

class WaitScope {
 public:
  explicit WaitScope(std::string what);
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;

 private:
  uint64_t number_;
};

struct Wait {
  std::string what;
  std::chrono::steady_clock::time_point since;
};

// The one that began first.
std::optional<Wait> LongestWait();

}  // namespace kingpost
