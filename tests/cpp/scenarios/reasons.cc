// SPDX-License-Identifier: Apache-2.0
#include "scenarios/reasons.h"

#include <set>

#include "decisions/reason.h"
#include "model/references.h"

namespace kingpost::scenarios {

namespace {

using decisions::Rule;

std::string TopLevel(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

bool Differs(const StepMetadata& step, const std::string& key) {
  const Value* before = step.old_state->inputs.Find(key);
  const Value* after = step.new_state->inputs.Find(key);
  if (!before || !after) return before != after;
  return !DeepEqual(*before, *after) || ContainsUnknowns(*after);
}

// True if one of the reason's properties changed. A property that no input has may be one that the provider alone
// knows.
bool SomethingChanged(const StepMetadata& step, const decisions::Reason& reason) {
  if (!step.old_state || !step.new_state) return false;
  for (const std::string& path : reason.properties) {
    const std::string key = TopLevel(path);
    const bool is_input = step.old_state->inputs.Has(key) || step.new_state->inputs.Has(key);
    if (!is_input || Differs(step, key)) return true;
  }
  return false;
}

bool NamesOldSide(const StepMetadata& step) { return step.old_state != nullptr; }

// True if the reason fits the step itself, whatever else the run did.
bool IsTrue(const StepMetadata& step, const decisions::Reason& reason, const OperationOptions& options) {
  const State* old_state = step.old_state.get();
  const State* next = step.new_state.get();
  const bool shows_both = old_state && next;  // a delete shows one side alone
  switch (reason.rule) {
    case Rule::kInputsEqual:
      return old_state && next && DeepEqual(old_state->inputs, next->inputs);
    case Rule::kProviderSeesNoChange:
      return old_state && next && !reason.properties.empty();
    case Rule::kNew:
      return !old_state;
    case Rule::kBecomesManaged:
      return old_state && old_state->external;
    case Rule::kInputsChanged:
    case Rule::kNotInPlace:
    case Rule::kReplaceOnChanges:
    case Rule::kRemediated:
      return !reason.properties.empty() && (!shows_both || SomethingChanged(step, reason));
    case Rule::kProviderSeesChange:
      return shows_both;
    case Rule::kInitErrors:
      return old_state && !old_state->init_errors.empty();
    case Rule::kTrigger:
      return !shows_both || !DeepEqual(old_state->replacement_trigger, next->replacement_trigger);
    case Rule::kForced:
      return !options.replaces.empty() || !options.target_replaces.empty();
    case Rule::kTainted:
      return old_state && old_state->taint;
    case Rule::kProviderReplaced:
      return !shows_both || old_state->provider != next->provider;
    case Rule::kNotTargeted:
      return !options.targets.empty() || !options.target_replaces.empty();
    case Rule::kExcluded:
      return !options.excludes.empty() || options.exclude_protected;
    case Rule::kKeptForDependent:
      return !options.targets.empty() || !options.target_replaces.empty() || !options.excludes.empty();
    case Rule::kDestroyed:
      return options.kind == OperationKind::kDestroy;
    case Rule::kNotRegistered:
    case Rule::kSupersededState:
    case Rule::kResumed:
      return NamesOldSide(step);
    case Rule::kModeAnswers:
      return options.kind != OperationKind::kUpdate;
    case Rule::kReplaceWith:
    case Rule::kDeletedWith:
    case Rule::kInputReplaced:
    case Rule::kProviderCondemned:
    case Rule::kLinkedToReplaced:
      return !reason.by.empty() && reason.cause != nullptr;
    case Rule::kDependencyFailed:
    case Rule::kViewOfOwner:
      return !reason.by.empty();
    case Rule::kReadByProgram:
    case Rule::kImported:
    case Rule::kRefreshed:
      return true;
  }
  return false;
}

std::string Named(const StepMetadata& step) {
  return std::string(StepOpName(step.op)) + " " + std::string(step.urn.name());
}

}  // namespace

void ReasonCheck::Saw(const StepMetadata& step) {
  if (!step.because) return;
  if (step.op != StepOp::kSame && step.op != StepOp::kRefresh) first_of_.emplace(step.urn, steps_.size());
  steps_.push_back(step);
}

// Follows the causes: each is a decision of this run about the resource that it names, and the last one has no cause.
std::string ReasonCheck::FollowChain(const StepMetadata& step) const {
  std::set<const decisions::Reason*> seen;
  for (const decisions::Reason* reason = step.because.get(); reason; reason = reason->cause.get()) {
    if (!seen.insert(reason).second) return Named(step) + ": its causes go round in a circle";
    if (reason->by.empty() != (reason->cause == nullptr)) return Named(step) + ": a cause without a reason";
  }
  return "";
}

std::string ReasonCheck::Complaint(const OperationOptions& options) const {
  for (const StepMetadata& step : steps_) {
    const std::string broken = FollowChain(step);
    if (!broken.empty()) return broken;
    if (!IsTrue(step, *step.because, options)) {
      return Named(step) + " says what is not true: " + std::string(decisions::RuleName(step.because->rule)) + ": " +
             decisions::ReasonText(*step.because);
    }
  }
  return "";
}

std::string ReasonLine(const decisions::Reason& reason, const std::string& by) {
  std::string line(decisions::RuleName(reason.rule));
  for (size_t i = 0; i < reason.properties.size(); ++i) line += (i == 0 ? " (" : ", ") + reason.properties[i];
  if (!reason.properties.empty()) line += ")";
  return by.empty() ? line : line + " by " + by;
}

}  // namespace kingpost::scenarios
