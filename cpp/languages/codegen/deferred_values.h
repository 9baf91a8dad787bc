// SPDX-License-Identifier: Apache-2.0
// Which expressions are known only once resources are there, or are secret: languages hold these in a wrapper, through
// which functions have to be applied. Any thread.
#pragma once

#include <map>
#include <string>

#include "languages/codegen/program.h"

namespace kingpost::codegen {

class DeferredValues {
 public:
  // The variables of the program come after those that they use.
  explicit DeferredValues(const Program& program);

  // The value itself is wrapped.
  bool Is(const Expression& expression) const { return WrapOf(expression) == Wrap::kWhole; }
  // It, or a part of it.
  bool Holds(const Expression& expression) const { return WrapOf(expression) != Wrap::kNone; }
  bool HoldsAny(const std::vector<ExpressionPtr>& list) const;
  // The value of a name or a path, as far as the program's text has it: for `all.parts[0]` the first of the list
  // under `parts` in the variable `all`. The expression itself, if it is none of these or leads out of the text.
  const Expression& ResolveValue(const Expression& expression) const;

 private:
  enum class Wrap { kNone, kParts, kWhole };
  // The value of a variable, found once: variables that use each other twice would otherwise be visited 2^n times.
  struct Known {
    const Expression* meant;
    Wrap wrap;
  };
  const Known* Find(const Expression& expression) const;  // null if it is no variable of the program
  Wrap WrapOf(const Expression& expression) const;

  const Program& program_;
  std::map<std::string, Known> variables_;
};

}  // namespace kingpost::codegen
