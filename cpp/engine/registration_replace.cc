// SPDX-License-Identifier: Apache-2.0
// How a registration replaces its old self: whether it may, who goes with it, and in which order (docs/replacement.md).
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/encoding.h"
#include "engine/registration.h"
#include "model/value_text.h"

namespace kingpost::engine {

// Its old self was deleted before something it depended on was replaced: only the second half is left to do.
void Registration::Recreate() {
  parts_.state.Unmark(old_->urn, kDeleted);
  parts_.state.Mark(urn_, kReplaced);
  plan::StepPtr create = plan::CreateReplacement(old_, draft_, false);
  create->keys = parts_.state.dependent_replace_keys[old_->urn];
  chain_ = {plan::Replace(old_, draft_), create};
}

Task<Status> Registration::PrepareReplace(const DiffResponse& diff) {
  RunState& state = parts_.state;
  if (draft_->protect && old_->protect && !parts_.operation.options.ignore_protect) {
    const std::string text = "unable to replace resource " + Quote(urn_.str()) +
                             "\nas it is currently marked for protection. To unprotect the resource, remove the "
                             "`protect` flag from the resource in your Pulumi program and run `pulumi up`";
    parts_.report.Error(urn_, text);
    state.saw_error = true;
    if (!is_preview()) co_return Status::Bail(text);
  }
  if (!goal_->import_id.empty()) {
    std::string text =
        "previously-imported resources that still specify an ID may not be replaced; please remove the `import` "
        "declaration from your program;\n";
    for (size_t i = 0; i < diff.replaces.size(); ++i) {
      const std::string& key = diff.replaces[i];
      const Value* before = old_->inputs.Find(key);
      const Value* after = draft_->inputs.Find(key);
      text += (i > 0 ? "\n" : "") + key + ": " + ValueText(before ? *before : Value()) + " => " +
              ValueText(after ? *after : Value());
    }
    if (!is_preview()) co_return Status(Code::kFailedPrecondition, text);
    parts_.report.Warning(urn_, text);
  }
  state.Mark(urn_, kReplaced);
  if (!goal_->custom || state.IsForcedReplace(urn_, old_)) co_return Status();
  // What is made is a new thing: its inputs are checked without the old ones, so that defaults are chosen again.
  Result<CheckResponse> checked = co_await CallCheck(PropertyMap(), goal_->inputs);
  if (!checked.ok()) co_return checked.status();
  if (ReportCheckFailures(checked->failures)) co_return Status::Bail("resource " + urn_.str() + " has check errors");
  PropertyMap analyzed = std::exchange(draft_->inputs, checked->inputs);
  co_return co_await ApplyPoliciesAgain(std::move(analyzed));
}

// What policies have set right stays so, and what they forbid is not made; Pulumi makes the replacement without them.
Task<Status> Registration::ApplyPoliciesAgain(PropertyMap analyzed) {
  if (!parts_.policies.any()) co_return Status();
  Status remediated = co_await parts_.policies.Remediate(draft_, goal_, /*tells=*/false);
  const bool told = breaks_policy_ || DeepEqual(analyzed, draft_->inputs);
  if (!remediated.ok() || told) co_return remediated;
  Result<bool> broken = co_await parts_.policies.Analyze(draft_, goal_, /*tells_all=*/false);
  if (!broken.ok()) co_return broken.status();
  co_return *broken && !is_preview() ? Status::Bail("resource " + urn_.str() + " is invalid") : Status();
}

// Who names the resource in replaceWith or deletedWith goes along. They may depend on others that go, or those on them:
// all are put in list order again.
void Registration::AddCascade(std::vector<DependentReplace>* dependents) const {
  std::unordered_set<Urn> known;
  for (const DependentReplace& dependent : *dependents) known.insert(dependent.state->urn);
  for (DependentReplace& other : registrar_.CascadeReplacements(old_->urn)) {
    const bool is_gone = parts_.state.WaitsForReplacement(other.state);
    if (!is_gone && known.count(other.state->urn) == 0) dependents->push_back(std::move(other));
  }
  const RunState& state = parts_.state;
  const auto position = [&state](const DependentReplace& dependent) {
    return state.graph().IndexOf(state.Original(dependent.state));
  };
  std::stable_sort(dependents->begin(), dependents->end(),
                   [&](const DependentReplace& a, const DependentReplace& b) { return position(a) < position(b); });
}

Task<Status> Registration::DeleteBeforeReplace(const DiffResponse& diff) {
  RunState& state = parts_.state;
  std::vector<DependentReplace> dependents;
  if (!is_preview() || state.graph().IndexOf(state.Original(old_)) >= 0) {
    auto found = co_await registrar_.DependentReplacements(old_);
    if (!found.ok()) co_return found.status();
    dependents = std::move(*found);
  }
  AddCascade(&dependents);

  dependents.push_back({old_, {}});
  for (const DependentReplace& condemned : dependents) {
    KP_CO_TRY((co_await registrar_.EnsureProvider(condemned.state))
                  .Wrap("could not load provider for resource " + condemned.state->urn.str()));
  }
  dependents.pop_back();
  KP_CO_TRY(CheckProtectedDependents(dependents));

  // Another replacement of this run may have condemned some of the dependents already.
  if (const StatePtr node = state.Original(old_); state.graph().IndexOf(node) >= 0) {
    for (const StatePtr& dependent : state.graph().DependingOn(node, {}, false)) {
      if (state.deleted_early.count(dependent.get()) > 0) go_first_.push_back(dependent);
    }
  }
  for (auto dependent = dependents.rbegin(); dependent != dependents.rend(); ++dependent) {
    const StatePtr& condemned = dependent->state;
    if (state.deleted_early.count(condemned.get()) > 0) continue;
    state.dependent_replace_keys[condemned->urn] = dependent->keys;
    chain_.push_back(state.WaitsForDelete(condemned) ? plan::Delete(condemned) : plan::DeleteReplaced(condemned, true));
    state.Mark(condemned->urn, kDeleted);
    state.deleted_early[condemned.get()] = std::make_shared<Event>(parts_.loop);
  }
  if (!state.WaitsForReplacement(old_)) {
    state.Mark(old_->urn, kDeleted);
    chain_.push_back(plan::DeleteReplaced(old_, true));
  }
  plan::StepPtr replace = plan::Replace(old_, draft_);
  plan::StepPtr create = plan::CreateReplacement(old_, draft_, false);
  Explain(diff, replace.get());
  Explain(diff, create.get());
  chain_.push_back(replace);
  chain_.push_back(create);
  co_return Status();
}

Status Registration::CheckProtectedDependents(const std::vector<DependentReplace>& dependents) {
  RunState& state = parts_.state;
  if (parts_.operation.options.ignore_protect) return Status();
  for (auto dependent = dependents.rbegin(); dependent != dependents.rend(); ++dependent) {
    const State& condemned = *dependent->state;
    if (!condemned.protect || state.WaitsForDelete(dependent->state) || state.deleted_early.count(&condemned) > 0) {
      continue;
    }
    const std::string text = "unable to replace resource " + Quote(condemned.urn.str()) + " as part of replacing " +
                             Quote(urn_.str()) +
                             " as it is currently marked for protection. To unprotect the resource, remove the "
                             "`protect` flag from the resource in your Pulumi program and run `pulumi up`, or use the "
                             "command:\n`pulumi state unprotect '" +
                             condemned.urn.str() + "'`";
    parts_.report.Error(urn_, text);
    state.saw_error = true;
    return Status::Bail(text);
  }
  return Status();
}

}  // namespace kingpost::engine
