// SPDX-License-Identifier: Apache-2.0
#include "decisions/selection.h"

namespace kingpost::decisions {

namespace {

std::vector<std::string> Joined(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

}  // namespace

Selection::Selection(const SelectionOptions& options)
    : targets_(Joined(options.targets, options.target_replaces)),
      excludes_(options.excludes),
      replaces_(Joined(options.replaces, options.target_replaces)),
      targets_and_dependents_(targets_),
      excludes_and_dependents_(excludes_),
      target_dependents_(options.target_dependents),
      exclude_dependents_(options.exclude_dependents) {}

bool Selection::IsIncluded(const State& state) const {
  if (targets_.constrained()) return IsTargeted(state);
  if (excludes_.constrained()) return !IsExcluded(state);
  return true;
}

bool Selection::IsTargeted(const State& state) const {
  if (targets_.constrained() && targets_.Contains(state.urn)) return true;
  if (!target_dependents_) return false;
  return DependsOnAny(state, [this](const Urn& urn) { return targets_and_dependents_.Contains(urn); });
}

bool Selection::IsExcluded(const State& state) const {
  if (excludes_.Contains(state.urn)) return true;
  if (!exclude_dependents_) return false;
  return DependsOnAny(state, [this](const Urn& urn) { return excludes_and_dependents_.Contains(urn); });
}

void Selection::Grow(const State& decided, bool included) {
  if (excludes_.constrained() && !included && IsExcluded(decided)) {
    excludes_and_dependents_.Add(decided.urn);
  } else if (included && IsTargeted(decided)) {
    targets_and_dependents_.Add(decided.urn);
  }
}

}  // namespace kingpost::decisions
