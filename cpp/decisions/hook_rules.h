// SPDX-License-Identifier: Apache-2.0
// Which hooks run around a step, what their failures mean, and when a failed step is tried again (rows 5.7 to 5.9).
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decisions/rows.h"

namespace kingpost::decisions {

// The program's description of a hook when it registered it.
struct HookOptions {
  bool on_dry_run = false, ignore_errors = false, on_error = false;
};

// Before a step of this kind is done, if there are any for it.
std::optional<HookKind> HookBefore(StepOp op);
// After it was done. Of a component that was created or updated they wait for its outputs to be registered.
std::optional<HookKind> HookAfter(const Step& step);
std::optional<HookKind> HookAtOutputs(const Step& step);

// In previews those run that ask for it.
bool RunsInPreviews(const HookOptions& hook);

// Whether the hooks of a resource can be called: null is one that the program has not registered.
bool IsOfKind(const HookOptions* hook, bool on_error);

// The meaning of a failure: only a warning, or the failure of the step after the hook, or of the run.
struct HookFailure {
  bool only_warns = false;
  std::string text;
};
HookFailure FailureOf(HookKind kind, const std::string& name, const HookOptions& hook, const std::string& message);

// ---- hooks for errors

inline constexpr int kErrorHookTriesMax = 100;

// Whether the hooks of a resource are asked for another try after a failure. What may have been made is not made again.
bool MayRetry(const State& owner, bool may_have_happened);
// After so many failures nobody is asked any more.
bool IsRetryLimitReached(size_t failures);

// ---- deletes

// Resources whose delete hooks would have to run, with the hooks' names, joined. A destroy without the program cannot
// run them.
struct ResourceDeleteHooks {
  Urn urn;
  std::string names;
};
std::vector<ResourceDeleteHooks> DeleteHooksOf(const std::vector<StatePtr>& recorded);

}  // namespace kingpost::decisions
