// SPDX-License-Identifier: Apache-2.0
// A list to choose from: arrows move, letters filter, Enter chooses, q or Escape leaves. The model, without a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "console/display/terminal.h"
#include "console/prompt/keys.h"

namespace kingpost {

struct MenuItem {
  std::string label;
  std::string note;  // stands behind it, dim
};

class Menu {
 public:
  Menu(std::string question, std::vector<MenuItem> items, size_t start = 0);

  enum class State { kOpen, kChosen, kLeft };
  State Press(const Key& key);

  // The item under the cursor; nothing if no item passes the filter.
  std::optional<size_t> current() const;

  // As many lines as the terminal has room for; the question may take several.
  std::vector<std::string> Lines(TerminalSize size, const Painter& painter) const;
  // The lines that stay at the end: the question and the answer, or the question alone.
  std::string LastLine(State state, const Painter& painter) const;

 private:
  void Filter();
  void Move(long by);

  const std::string question_;
  const std::vector<MenuItem> items_;
  std::string filter_;
  std::vector<size_t> passing_;  // indices of items
  size_t cursor_ = 0;            // in passing_
};

}  // namespace kingpost
