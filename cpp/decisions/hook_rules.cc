// SPDX-License-Identifier: Apache-2.0
#include "decisions/hook_rules.h"

#include "base/encoding.h"

namespace kingpost::decisions {

namespace {

bool RunsBefore(HookKind kind) {
  return kind == HookKind::kBeforeCreate || kind == HookKind::kBeforeUpdate || kind == HookKind::kBeforeDelete;
}

// Whether the program has yet to register the outputs of what a step has made.
bool OutputsComeLater(const Step& step) { return step.new_state && !step.new_state->custom; }

}  // namespace

std::optional<HookKind> HookBefore(StepOp op) {
  switch (op) {
    case StepOp::kCreate:
    case StepOp::kCreateReplacement:
      return HookKind::kBeforeCreate;
    case StepOp::kUpdate:
      return HookKind::kBeforeUpdate;
    case StepOp::kDelete:
    case StepOp::kDeleteReplaced:
    case StepOp::kDiscard:
    case StepOp::kDiscardReplaced:
      return HookKind::kBeforeDelete;
    default:
      return std::nullopt;
  }
}

std::optional<HookKind> HookAfter(const Step& step) {
  if (OutputsComeLater(step)) return std::nullopt;
  const std::optional<HookKind> before = HookBefore(step.op);
  if (before == HookKind::kBeforeCreate) return HookKind::kAfterCreate;
  if (before == HookKind::kBeforeUpdate) return HookKind::kAfterUpdate;
  return before ? std::optional(HookKind::kAfterDelete) : std::nullopt;
}

std::optional<HookKind> HookAtOutputs(const Step& step) {
  if (!OutputsComeLater(step)) return std::nullopt;
  if (step.op == StepOp::kCreate) return HookKind::kAfterCreate;
  return step.op == StepOp::kUpdate ? std::optional(HookKind::kAfterUpdate) : std::nullopt;
}

bool RunsInPreviews(const HookOptions& hook) { return hook.on_dry_run; }

bool IsOfKind(const HookOptions* hook, bool on_error) { return hook && hook->on_error == on_error; }

HookFailure FailureOf(HookKind kind, const std::string& name, const HookOptions& hook, const std::string& message) {
  if (hook.ignore_errors)
    return {true, std::string(HookKindName(kind)) + " hook " + Quote(name) + " failed: " + message};
  return {false, (RunsBefore(kind) ? "before hook " : "after hook ") + Quote(name) + " failed: " + message};
}

bool MayRetry(const State& owner, bool may_have_happened) {
  return !may_have_happened && !owner.hooks.of(HookKind::kOnError).empty();
}

bool IsRetryLimitReached(size_t failures) { return failures >= kErrorHookTriesMax; }

std::vector<ResourceDeleteHooks> DeleteHooksOf(const std::vector<StatePtr>& recorded) {
  std::vector<ResourceDeleteHooks> found;
  for (const StatePtr& state : recorded) {
    std::string names;
    for (HookKind kind : {HookKind::kBeforeDelete, HookKind::kAfterDelete}) {
      for (const std::string& name : state->hooks.of(kind)) names += (names.empty() ? "" : ", ") + name;
    }
    if (!names.empty()) found.push_back({state->urn, std::move(names)});
  }
  return found;
}

}  // namespace kingpost::decisions
