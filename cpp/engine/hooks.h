// SPDX-License-Identifier: Apache-2.0
// Hooks: functions of the program that run around steps (rows 1.30, 1.31, 5.7 to 5.9). Owns the names. Engine thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "decisions/hook_rules.h"
#include "decisions/step.h"
#include "engine/reporter.h"
#include "kingpost/callbacks.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

class Hooks {
 public:
  Hooks(const Operation& operation, Reporter& report) : operation_(operation), report_(report) {}

  Status Register(const std::string& name, Callback callback, bool on_dry_run, bool ignore_errors);
  Status RegisterErrorHook(const std::string& name, Callback callback);

  // Runs the hooks of one kind in order; stops at the first failure that is not ignored.
  Task<Status> Run(HookKind kind, const State& owner, const State* old_state, const State* new_state,
                   bool with_new_outputs);
  // True if any error hook asks for another try. `errors`: newest first.
  Task<Result<bool>> RunErrorHooks(const State& owner, const State* old_state, const State* new_state,
                                   std::string failed_operation, std::vector<std::string> errors);

 private:
  struct Hook {
    Callback callback;
    decisions::HookOptions options;
  };
  const Hook* Find(const std::string& name, bool on_error) const;  // null if none of that name and kind
  Status Add(const std::string& name, Hook hook);

  const Operation& operation_;
  Reporter& report_;
  std::unordered_map<std::string, Hook> hooks_;
};

}  // namespace kingpost::engine
