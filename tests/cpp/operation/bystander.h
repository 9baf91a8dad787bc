// SPDX-License-Identifier: Apache-2.0
// A caller that keeps the messages and the open scopes of an operation, and a context for it.
#pragma once

#include <string>
#include <vector>

#include "operation/stack_context.h"

namespace kingpost::testing {

class Bystander final : public OperationCaller {
 public:
  void Note(const std::string& text) override { notes.push_back(text); }
  void Warn(const std::string& text) override { warnings.push_back(text); }
  Scope Saving(AfterSignal) override { return Counted(&saving); }
  Scope Holding(std::function<void()> release) override {
    on_signal = std::move(release);
    return Counted(&holding);
  }

  std::vector<std::string> notes, warnings;
  std::function<void()> on_signal;
  int saving = 0, holding = 0;  // how many scopes are open

 private:
  static Scope Counted(int* open) {
    ++*open;
    return Scope(open, [](int* number) { --*number; });
  }
};

inline StackContext ContextFor(StateStore& store, const StackName& name, Bystander& bystander) {
  StackContext context;
  context.store = &store;
  context.name = name;
  context.passphrase = FixedPassphrase("open sesame");
  context.caller = &bystander;
  return context;
}

}  // namespace kingpost::testing
