// SPDX-License-Identifier: Apache-2.0
// What this process waits for: services that take their time to answer. Whoever asks one says so here; whoever shows
// something to a person can tell it. Any thread.
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
