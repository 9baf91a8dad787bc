// SPDX-License-Identifier: Apache-2.0
// Who stands by while a stack is worked with: hears what the user should know, and keeps signals away from what must
// not be cut short. A seam: the command has a terminal and signals, the Python module a list of diagnostics, tests
// neither.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace kingpost {

class OperationCaller {
 public:
  // What holds for as long as it lives. They nest.
  using Scope = std::shared_ptr<void>;
  // What a signal that came during a Saving scope does at its end: the work goes on, or ends there and then.
  enum class AfterSignal { kGoOn, kEnd };

  virtual ~OperationCaller() = default;

  virtual void Note(const std::string& text) = 0;
  virtual void Warn(const std::string& text) = 0;

  // What is written meanwhile is written to its end.
  virtual Scope Saving(AfterSignal after) = 0;
  // A signal that ends the process calls `release` first, unless something is being written.
  virtual Scope Holding(std::function<void()> release) = 0;
};

}  // namespace kingpost
