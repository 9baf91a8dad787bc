// SPDX-License-Identifier: Apache-2.0
// The terminal while questions are asked: keys come one by one and are not echoed. Restored when the object goes.
#pragma once

#include <termios.h>

#include <string>

#include "console/prompt/keys.h"

namespace kingpost {

class RawTerminal {
 public:
  RawTerminal();
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;

  bool ok() const { return ok_; }  // false: standard input is no terminal
  // Waits for a key; kOther too when the size of the terminal may have changed.
  Key Read();

 private:
  bool Fill(int timeout_ms);

  termios former_{};
  bool ok_ = false;
  bool ended_ = false;
  std::string bytes_;
};

}  // namespace kingpost
