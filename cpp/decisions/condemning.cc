// SPDX-License-Identifier: Apache-2.0
#include "decisions/condemning.h"

#include <algorithm>

#include "decisions/diff_rules.h"
#include "decisions/go_along.h"
#include "decisions/remaking.h"

namespace kingpost::decisions {

namespace {

// The inputs that come from what goes, and the first resource that they come from.
std::vector<std::string> InputsFrom(const State& state, const std::unordered_set<Urn>& going, Urn* by) {
  std::vector<std::string> keys;
  for (const auto& [key, urns] : state.property_dependencies) {
    const auto from = std::find_if(urns.begin(), urns.end(), [&](const Urn& urn) { return going.count(urn) > 0; });
    if (from == urns.end() || !state.inputs.Find(key)) continue;
    if (by->empty()) *by = *from;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

Condemning::Condemning(const Rows& rows, const StatePtr& root, ReasonPtr cause)
    : rows_(rows), root_(root), cause_(std::move(cause)), going_({root->urn}) {
  const StatePtr node = rows.Original(root);
  if (rows.graph().IndexOf(node) < 0) return;  // not recorded before this run: nothing depends on it
  // A resource that this run has handled already cannot be condemned any more.
  dependents_ = rows.graph().DependingOn(
      node, [&rows](const Urn& urn) { return rows.HasStep(urn); }, false);
}

void Condemning::Condemn(const StatePtr& dependent, std::vector<std::string> keys, Rule rule, Urn by) {
  ReasonPtr cause = cause_;
  for (const Condemned& earlier : condemned_) {
    if (earlier.state->urn == by) cause = earlier.because;
  }
  Urn from;
  std::vector<std::string> properties =
      rule == Rule::kInputReplaced ? InputsFrom(*dependent, going_, &from) : std::vector<std::string>();
  going_.insert(dependent->urn);
  condemned_.push_back({dependent, std::move(keys), Because(rule, std::move(properties), std::move(by), cause)});
}

std::optional<Condemning::Question> Condemning::Next() {
  while (next_ < dependents_.size()) {
    const StatePtr& dependent = dependents_[next_++];
    if (!dependent->custom || IsPendingReplacement(dependent, rows_)) continue;
    const std::optional<ForcedDelete> cause = FindForcedDelete(*dependent, going_);
    const bool by_provider = cause && cause->rule == Rule::kProviderCondemned;
    // A resource that was only read need not be replaced, but it cannot name a provider that is gone.
    if (dependent->external && !by_provider) continue;
    if (cause) {
      Condemn(dependent, {}, cause->rule, cause->by);
      return Question{dependent, std::nullopt};
    }
    if (auto inputs = InputsWithUnknowns(*dependent, going_)) return Question{dependent, std::move(inputs)};
  }
  return std::nullopt;
}

Status Condemning::Answer(DiffResponse diff) {
  const StatePtr& dependent = dependents_[next_ - 1];
  auto promoted = ApplyReplaceOnChanges(std::move(diff), dependent->replace_on_changes, false);
  if (!promoted.ok()) return promoted.status();
  if (!WantsReplace(*promoted)) return Status();
  Urn by;
  InputsFrom(*dependent, going_, &by);
  Condemn(dependent, promoted->replaces, Rule::kInputReplaced, by);
  return Status();
}

void Condemning::AddNamed() {
  for (const StatePtr& other : rows_.NamedBy(root_->urn)) {
    if (IsPendingReplacement(other, rows_) || going_.count(other->urn) > 0) continue;
    Condemn(other, {}, Rule::kLinkedToReplaced, root_->urn);
  }
  const auto position = [this](const Condemned& going) { return rows_.graph().IndexOf(rows_.Original(going.state)); };
  std::stable_sort(condemned_.begin(), condemned_.end(),
                   [&](const Condemned& a, const Condemned& b) { return position(a) < position(b); });
}

std::vector<StatePtr> AlreadyCondemned(const StatePtr& root, const Rows& rows) {
  std::vector<StatePtr> going;
  const StatePtr node = rows.Original(root);
  if (rows.graph().IndexOf(node) < 0) return going;
  for (const StatePtr& dependent : rows.graph().DependingOn(node, false)) {
    if (rows.IsDeletedFirst(dependent)) going.push_back(dependent);
  }
  return going;
}

}  // namespace kingpost::decisions
