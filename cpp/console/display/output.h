// SPDX-License-Identifier: Apache-2.0
// Writes to a file descriptor until that fails; from then on nothing more is written. A closed pipe (`up | head -1`) or
// a full disk behind a log never stops an operation. What a reader did not get because the disk is full, say, is a
// failure of the command, which it tells at its end (OutputFailure). One thread at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace kingpost {

// Takes what would be written, for displays that are shown as a part of another.
using TextSink = std::function<void(std::string_view text)>;

class Output {
 public:
  explicit Output(int fd, bool owned = false) : fd_(fd), owned_(owned) {}
  // All goes to the sink, if there is one.
  Output(int fd, TextSink sink) : fd_(fd), owned_(false), sink_(std::move(sink)) {}
  ~Output();
  Output(const Output&) = delete;

  void Write(std::string_view text);
  bool alive() const { return alive_; }
  int fd() const { return fd_; }

 private:
  void Fail(int error);

  const int fd_;
  const bool owned_;
  const TextSink sink_;
  bool alive_ = true;
};

// The first output of this process that could not be written, as a sentence; "" if there is none. A reader that has
// gone (EPIPE, a terminal that was closed) does not count, nor does standard error. Any thread.
std::string OutputFailure();

}  // namespace kingpost
