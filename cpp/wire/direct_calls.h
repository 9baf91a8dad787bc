// SPDX-License-Identifier: Apache-2.0
// Calls of our services from a program in this process: the messages of the protocol as bytes, but neither a socket nor
// gRPC's threads between. Any thread.
//
//   program ─▶ DirectCall(method, request, answer) ─▶ loop: parse, decode, Monitor ─▶ answer, on any thread
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

namespace kingpost {

// The status that gRPC would have given the caller.
struct DirectAnswer {
  int code = 0;  // as gRPC counts; 0: `message` is the response
  std::string error;
  std::string message;
};

// Runs once, on any thread, perhaps within the call.
using DirectCallback = std::function<void(DirectAnswer)>;

// Answers as gRPC does when the server has gone, if nobody else has answered: calls may be dropped with the loop.
class DirectResponder {
 public:
  explicit DirectResponder(DirectCallback tell) : tell_(std::move(tell)) {}
  ~DirectResponder() { Tell({14, "the engine has gone", ""}); }
  DirectResponder(const DirectResponder&) = delete;

  void Tell(DirectAnswer answer) {
    if (!told_.exchange(true)) tell_(std::move(answer));
  }

 private:
  std::atomic<bool> told_{false};
  const DirectCallback tell_;
};

// A service. It may be called for longer than its server lives: what comes too late is Unavailable.
using DirectCall = std::function<void(std::string method, std::string request, DirectCallback tell)>;

// The services that a program talks to.
struct DirectServices {
  DirectCall monitor, engine;
};

}  // namespace kingpost
