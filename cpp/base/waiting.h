// SPDX-License-Identifier: Apache-2.0
// The services that this process waits for. The caller of a service says so here; the display tells the user. Any
// thread.
//
//     const Waiting waiting("https://team.s3.amazonaws.com");
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace kingpost {

class Waiting {
 public:
  explicit Waiting(std::string what);
  ~Waiting();
  Waiting(const Waiting&) = delete;

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
