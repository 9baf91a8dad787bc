// SPDX-License-Identifier: Apache-2.0
// Writes to a file descriptor until that fails; from then on nothing more is written and nobody is bothered. So a
// closed pipe (`up | head -1`) or a full disk behind a log never stops an operation. One thread at a time.
#pragma once

#include <string_view>

namespace kingpost {

class Output {
 public:
  explicit Output(int fd, bool owned = false) : fd_(fd), owned_(owned) {}
  ~Output();
  Output(const Output&) = delete;

  void Write(std::string_view text);
  bool alive() const { return alive_; }
  int fd() const { return fd_; }

 private:
  const int fd_;
  const bool owned_;
  bool alive_ = true;
};

}  // namespace kingpost
