// SPDX-License-Identifier: Apache-2.0
// What --target, --exclude, --replace and --target-replace leave of a run (rows 3.32, 3.35, 3.36).
//
// Targets and excludes grow while the program runs, by what depends on them, if the user asked for dependents too.
#pragma once

#include <string>
#include <vector>

#include "decisions/targets.h"

namespace kingpost::decisions {

struct SelectionOptions {
  std::vector<std::string> targets, excludes, replaces, target_replaces;  // URNs or patterns
  bool target_dependents = false, exclude_dependents = false;
};

class Selection {
 public:
  explicit Selection(const SelectionOptions& options);

  const UrnPatterns& targets() const { return targets_; }
  const UrnPatterns& excludes() const { return excludes_; }
  const UrnPatterns& replaces() const { return replaces_; }
  bool target_dependents() const { return target_dependents_; }
  bool exclude_dependents() const { return exclude_dependents_; }
  // Excludes restrict a run only if no target does.
  bool by_excludes() const { return excludes_.constrained() && !targets_.constrained(); }
  bool constrained() const { return targets_.constrained() || excludes_.constrained() || replaces_.constrained(); }

  bool IsIncluded(const State& state) const;
  bool IsTargeted(const State& state) const;
  bool IsExcluded(const State& state) const;
  // By --replace or --target-replace.
  bool IsForcedReplace(const Urn& urn) const { return replaces_.constrained() && replaces_.Contains(urn); }

  // What depends on a resource that was decided on follows it.
  void Grow(const State& decided, bool included);

 private:
  UrnPatterns targets_, excludes_, replaces_;
  UrnPatterns targets_and_dependents_, excludes_and_dependents_;
  bool target_dependents_, exclude_dependents_;
};

}  // namespace kingpost::decisions
