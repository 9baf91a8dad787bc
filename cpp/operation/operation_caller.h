// SPDX-License-Identifier: Apache-2.0
// The caller of an operation on a stack: it gets messages for the user, and holds back signals from work that must
// not be interrupted. A seam: the command has a terminal and signals, the Python module a list of diagnostics, tests
// neither.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace kingpost {

class OperationCaller {
 public:
  // A scope that holds for as long as it lives. They nest.
  using Scope = std::shared_ptr<void>;
  // The effect of a signal during a Saving scope at its end: the work goes on, or ends there and then.
  enum class AfterSignal { kGoOn, kEnd };

  virtual ~OperationCaller() = default;

  virtual void Note(const std::string& text) = 0;
  virtual void Warn(const std::string& text) = 0;

  // A write in this scope is not interrupted.
  virtual Scope Saving(AfterSignal after) = 0;
  // A signal that ends the process calls `release` first, unless something is being written.
  virtual Scope Holding(std::function<void()> release) = 0;
};

}  // namespace kingpost
