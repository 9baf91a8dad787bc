// SPDX-License-Identifier: Apache-2.0
// The part of a run that --target, --exclude, --replace and --target-replace choose (rows 3.12, 3.32, 3.35 to 3.37,
// 4.7). The run has one Selection, which answers every question about them. No other part of the engine sees a
// pattern.
//
//   a registration   IsIncluded, TakesPart, IsForcedReplace, WhyLeftOut, RefusalFor
//   a refresh        Selection::Refresh
//   deletes          Selection::Deletes, RefusalOfDelete
//   what was typed   FirstNotRecorded, UnknownLiterals
//
// Targets and excludes grow while the program runs, by what depends on them, if the user asked for dependents too.
// Excludes restrict a run only if no target does. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "decisions/rows.h"

namespace kingpost::decisions {

// URNs, and patterns in which "*" stands for any run of characters other than ':' and "**" for anything; patterns are
// anchored.
class UrnPatterns {
 public:
  UrnPatterns() = default;
  explicit UrnPatterns(const std::vector<std::string>& texts);

  // True if the user gave any; URNs added later do not count.
  bool constrained() const { return constrained_; }
  // Without constraints, everything is contained.
  bool Contains(const Urn& urn) const;
  const std::vector<Urn>& literals() const { return literals_; }  // as given, in order
  // Whether something of `package` that is not recorded may be meant: by a URN of that package, or by a pattern that
  // nothing recorded matches.
  bool MayMatchNew(std::string_view package, const std::vector<StatePtr>& recorded) const;
  void Add(const Urn& urn) { set_.insert(urn); }

 private:
  bool constrained_ = false;
  std::vector<Urn> literals_;
  std::unordered_set<Urn> set_;
  std::vector<std::string> patterns_;
};

struct SelectionOptions {
  std::vector<std::string> targets, excludes, replaces, target_replaces;  // URNs or patterns
  bool target_dependents = false, exclude_dependents = false;
};

class Selection {
 public:
  explicit Selection(const SelectionOptions& options);

  class Refresh;
  class Deletes;

  // ---- a registration
  bool IsIncluded(const State& state) const;
  // Whether a registration is more than a reason to keep what is recorded. Providers and the stack always take part. So
  // does a resource that was deleted for the replacement of another: it has to come back, and its old inputs may name
  // others that were deleted.
  bool TakesPart(const State& draft, bool was_deleted_first) const;
  bool IsForcedReplace(const Urn& urn) const { return replaces_.constrained() && replaces_.Contains(urn); }
  ReasonPtr WhyLeftOut() const;
  // Whether resources of the package take part, or may yet: then what is left out cannot ask the program to stay with
  // the provider that it had.
  bool MayInclude(std::string_view package, const Rows& rows) const;
  // The dependents of a decided resource follow it.
  void Grow(const State& decided, bool takes_part);
  // With targets, what one of them refers to and nobody has handled is kept before it.
  bool KeepsTargetDependencies() const { return targets_.constrained(); }
  // The text that refuses `urn`, which depends on `missing`, a resource whose create was left out; nullopt if this
  // selection leaves nothing out.
  std::optional<std::string> RefusalFor(const Urn& urn, const Urn& missing) const;

  // ---- deletes
  // The text that refuses the delete of what no target names; nullopt if it may go.
  std::optional<std::string> RefusalOfDelete(const Urn& urn, const Rows& rows) const;

  // Whether the run is about a part of the stack, or treats a part in its own way.
  bool IsRestricted() const { return MayLeaveOut() || replaces_.constrained(); }
  bool MayLeaveOut() const { return targets_.constrained() || excludes_.constrained(); }

  // ---- what was typed: URNs, not patterns
  // The first target or else exclude that is not recorded; "" if all are.
  Urn FirstNotRecorded(const Rows& rows) const;
  // A text for each that is not recorded nor, if `registered_too`, registered by this run.
  enum class Given { kTargets, kExcludes, kReplaces };
  std::vector<std::string> UnknownLiterals(Given given, const Rows& rows, bool registered_too) const;

 private:
  bool IsTargeted(const State& state) const;
  bool IsExcluded(const State& state) const;
  bool by_excludes() const { return excludes_.constrained() && !targets_.constrained(); }

  UrnPatterns targets_, excludes_, replaces_;
  UrnPatterns targets_and_dependents_, excludes_and_dependents_;
  bool target_dependents_, exclude_dependents_;
};

// The resources that one refresh reads, asked in the order of the record. A provider's resources do not count
// as its dependents here: what a refresh reads does not depend on its targets.
class Selection::Refresh {
 public:
  explicit Refresh(const Selection& selection)
      : selection_(selection), targets_(selection.targets_), excludes_(selection.excludes_) {}

  bool Takes(const State& recorded);

 private:
  const Selection& selection_;
  UrnPatterns targets_, excludes_;
};

// For the deletes of a run. With targets: these, all that depends on them, and what is added with Allow. With
// excludes, or --exclude-protected: all but what they name and what that stands on.
class Selection::Deletes {
 public:
  // `graph` makes the one over what is recorded and what a program registered for deletion. Most runs do not ask for
  // it.
  Deletes(const Selection& selection, const std::function<const DependencyGraph&()>& graph, const Rows& rows,
          bool exclude_protected);

  const std::unordered_set<Urn>& targeted() const;  // empty without targets
  void Allow(const Urn& urn) { allowed_->insert(urn); }

  bool Take(const State& state) const;
  // The name of an old side may belong to another resource by now.
  bool TakeOldSide(const State& old_side) const;
  ReasonPtr WhyLeftOut() const;

 private:
  void FindTargeted(const DependencyGraph& graph);
  void FindExcluded(const DependencyGraph& graph);

  const Selection& selection_;
  const Rows& rows_;
  const bool exclude_protected_;
  std::optional<std::unordered_set<Urn>> allowed_;    // with targets
  std::optional<std::unordered_set<Urn>> forbidden_;  // with excludes
  std::unordered_set<Urn> other_names_;               // of what is allowed because of its old or its new name
};

}  // namespace kingpost::decisions
