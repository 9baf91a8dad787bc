// SPDX-License-Identifier: Apache-2.0
// A long text on a small screen. The model, without a terminal.
#pragma once

#include <string>

#include "console/display/terminal.h"
#include "console/prompt/keys.h"

namespace kingpost {

class Pager {
 public:
  explicit Pager(std::string text) : text_(std::move(text)) {}

  int Height(int columns) const;  // lines that the text takes
  std::string Screen(TerminalSize size, const Painter& painter) const;
  bool Press(const Key& key, TerminalSize size);  // false: the reader is done

 private:
  const std::string text_;
  int top_ = 0;
};

}  // namespace kingpost
