// SPDX-License-Identifier: Apache-2.0
#include "decisions/selection.h"

#include <algorithm>
#include <deque>

#include "decisions/dependency_refs.h"

namespace kingpost::decisions {

namespace {

// True if the whole text matches the pattern.
bool Matches(std::string_view pattern, std::string_view text) {
  while (!pattern.empty() && pattern[0] != '*') {
    if (text.empty() || text[0] != pattern[0]) return false;
    pattern.remove_prefix(1);
    text.remove_prefix(1);
  }
  if (pattern.empty()) return text.empty();
  const bool any = pattern.size() > 1 && pattern[1] == '*';
  const std::string_view rest = pattern.substr(any ? 2 : 1);
  for (size_t n = 0;; ++n) {
    if (Matches(rest, text.substr(n))) return true;
    if (n == text.size() || (!any && text[n] == ':')) return false;
  }
}

std::vector<std::string> Joined(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

std::string_view PackageOf(std::string_view type) {
  return IsProviderType(type) ? ProviderPackage(type) : PackageOfType(type);
}

bool RefersToAnyOf(const State& state, const UrnPatterns& patterns) {
  return RefersToAny(state, [&](const Urn& urn) { return patterns.Contains(urn); });
}

}  // namespace

UrnPatterns::UrnPatterns(const std::vector<std::string>& texts) : constrained_(!texts.empty()) {
  for (const std::string& text : texts) {
    if (text.find('*') != std::string::npos) {
      patterns_.push_back(text);
      continue;
    }
    literals_.emplace_back(text);
    set_.insert(Urn(text));
  }
}

bool UrnPatterns::Contains(const Urn& urn) const {
  if (!constrained_ || set_.count(urn) > 0) return true;
  for (const std::string& pattern : patterns_) {
    if (Matches(pattern, urn.str())) return true;
  }
  return false;
}

bool UrnPatterns::MayMatchNew(std::string_view package, const std::vector<StatePtr>& recorded) const {
  for (const Urn& urn : literals_) {
    const bool is_new =
        std::none_of(recorded.begin(), recorded.end(), [&urn](const StatePtr& state) { return state->urn == urn; });
    if (is_new && PackageOf(urn.type()) == package) return true;
  }
  return std::any_of(patterns_.begin(), patterns_.end(), [&recorded](const std::string& pattern) {
    return std::none_of(recorded.begin(), recorded.end(),
                        [&pattern](const StatePtr& state) { return Matches(pattern, state->urn.str()); });
  });
}

// ---- a registration

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

bool Selection::TakesPart(const State& draft, bool was_deleted_first) const {
  const bool always = draft.is_provider() || draft.urn.qualified_type() == kRootStackType || was_deleted_first;
  return always || IsIncluded(draft);
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

ReasonPtr Selection::WhyLeftOut() const { return Because(by_excludes() ? Rule::kExcluded : Rule::kNotTargeted); }

bool Selection::MayInclude(std::string_view package, const Rows& rows) const {
  if (!targets_.constrained() || targets_.MayMatchNew(package, rows.base())) return true;
  Refresh taken(*this);
  return std::any_of(rows.base().begin(), rows.base().end(), [&](const StatePtr& recorded) {
    return taken.Takes(*recorded) && PackageOf(recorded->type) == package;
  });
}

void Selection::Grow(const State& decided, bool takes_part) {
  if (excludes_.constrained() && !takes_part && IsExcluded(decided)) {
    excludes_and_dependents_.Add(decided.urn);
  } else if (takes_part && IsTargeted(decided)) {
    targets_and_dependents_.Add(decided.urn);
  }
}

std::optional<std::string> Selection::RefusalFor(const Urn& urn, const Urn& missing) const {
  if (!targets_.constrained() && !excludes_.constrained() && !replaces_.constrained()) return std::nullopt;
  // Pulumi goes on with what an --exclude leaves without its dependency, and then refuses its own record.
  const char* why = by_excludes()
                        ? "', which does not exist yet and is left out by --exclude. Create it first, or leave "
                          "out what depends on it too: pass --exclude-dependents."
                        : "' which was was not specified in --target list.";
  return "Resource '" + urn.str() + "' depends on '" + missing.str() + why;
}

// ---- deletes

std::optional<std::string> Selection::RefusalOfDelete(const Urn& urn, const Rows& rows) const {
  if (!targets_.constrained() || target_dependents_ || targets_.Contains(urn)) return std::nullopt;
  const Row* row = rows.Find(urn);
  if (row && !row->former().empty() && row->urn() == urn && targets_.Contains(row->former())) return std::nullopt;
  return "Resource '" + urn.str() +
         "' will be destroyed but was not specified in --target list.\n"
         "Either include resource in --target list or pass --target-dependents to proceed.";
}

// ---- what was typed

Urn Selection::FirstNotRecorded(const Rows& rows) const {
  for (const UrnPatterns* given : {&targets_, &excludes_}) {
    for (const Urn& urn : given->literals()) {
      if (rows.AllOld(urn).empty()) return urn;
    }
  }
  return Urn();
}

std::vector<std::string> Selection::UnknownLiterals(Given given, const Rows& rows, bool registered_too) const {
  const UrnPatterns& patterns = given == Given::kTargets ? targets_ : given == Given::kExcludes ? excludes_ : replaces_;
  std::vector<std::string> texts;
  for (const Urn& urn : patterns.literals()) {
    if (!rows.AllOld(urn).empty() || (registered_too && rows.IsKnown(urn))) continue;
    texts.push_back("Target '" + urn.str() + "' could not be found in the stack.");
    // Shells take "$type" for a variable of theirs.
    if (urn.str().find('$') == std::string::npos) texts.back() += " Did you forget to escape $ in your shell?";
  }
  return texts;
}

// ---- of a refresh

bool Selection::Refresh::Takes(const State& recorded) {
  if (selection_.by_excludes()) {
    if (excludes_.Contains(recorded.urn)) return false;
    const bool follows = selection_.exclude_dependents_ && RefersToAnyOf(recorded, excludes_);
    if (follows) excludes_.Add(recorded.urn);
    return !follows;
  }
  if (targets_.Contains(recorded.urn)) return true;
  const bool follows = selection_.target_dependents_ && RefersToAnyOf(recorded, targets_);
  if (follows) targets_.Add(recorded.urn);
  return follows;
}

// ---- of deletes

Selection::Deletes::Deletes(const Selection& selection, const std::function<const DependencyGraph&()>& graph,
                            const Rows& rows, bool exclude_protected)
    : selection_(selection), rows_(rows), exclude_protected_(exclude_protected) {
  if (selection.targets_.constrained()) {
    FindTargeted(graph());
  } else if (selection.excludes_.constrained() || exclude_protected) {
    FindExcluded(graph());
  }
}

const std::unordered_set<Urn>& Selection::Deletes::targeted() const {
  static const std::unordered_set<Urn> kNone;
  return allowed_ ? *allowed_ : kNone;
}

// Both walk URNs and look at all states that have them: what the program says of a resource may be more, or less, than
// what was recorded of it. Of a renamed one the program knows the new name, and what it did not register the old one.
void Selection::Deletes::FindTargeted(const DependencyGraph& graph) {
  std::unordered_set<Urn> found;
  const auto is_found = [&found](const Urn& urn) { return found.count(urn) > 0; };
  std::deque<Urn> frontier;
  for (const StatePtr& state : graph.resources()) {
    if (selection_.targets_.Contains(state->urn)) frontier.push_back(state->urn);
  }
  for (; !frontier.empty(); frontier.pop_front()) {
    const Urn next = frontier.front();
    if (is_found(next)) continue;
    for (const StatePtr& state : graph.StatesOf(next)) {
      for (const StatePtr& dependent : graph.DependingOn(state, is_found, true)) frontier.push_back(dependent->urn);
    }
    const Row* row = rows_.Find(next);
    if (row && !row->former().empty()) {
      const Urn& other = row->former() == next ? row->urn() : row->former();
      frontier.push_back(other);
      other_names_.insert(other);
    }
    found.insert(next);
  }
  allowed_ = std::move(found);
}

void Selection::Deletes::FindExcluded(const DependencyGraph& graph) {
  const UrnPatterns& excludes = selection_.excludes_;
  std::unordered_set<Urn> found;
  const auto is_found = [&found](const Urn& urn) { return found.count(urn) > 0; };
  std::deque<Urn> frontier;
  for (const StatePtr& state : graph.resources()) {
    const bool keep =
        (excludes.constrained() && excludes.Contains(state->urn)) || (exclude_protected_ && state->protect);
    if (keep) frontier.push_back(state->urn);
  }
  for (; !frontier.empty(); frontier.pop_front()) {
    const Urn next = frontier.front();
    if (is_found(next)) continue;
    for (const StatePtr& state : graph.StatesOf(next)) {
      for (const StatePtr& dependency : graph.DependenciesOf(state)) frontier.push_back(dependency->urn);
      if (!selection_.exclude_dependents_) continue;
      for (const StatePtr& dependent : graph.DependingOn(state, is_found, true)) frontier.push_back(dependent->urn);
    }
    if (rows_.IsRenamed(next)) frontier.push_back(rows_.CurrentUrn(next));
    found.insert(next);
  }
  forbidden_ = std::move(found);
}

bool Selection::Deletes::Take(const State& state) const {
  if (allowed_) return allowed_->count(state.urn) > 0;
  return !forbidden_ || forbidden_->count(state.urn) == 0;
}

// The name of an old side may belong to another resource by now. [--target A, A' is now called B, and an old B
// waits for its delete]: A' goes, B does not, unless it depends on a target itself. [--exclude A, of which only an
// old side is left]: there is nothing to keep.
bool Selection::Deletes::TakeOldSide(const State& old_side) const {
  if (allowed_) {
    const bool by_name = other_names_.count(old_side.urn) == 0 || selection_.targets_.Contains(old_side.urn);
    const auto goes = [this](const Urn& urn) { return allowed_->count(urn) > 0; };
    return Take(old_side) && (by_name || DependsOnAny(old_side, goes));
  }
  const bool guarded = exclude_protected_ && old_side.protect;
  return Take(old_side) || (!guarded && !rows_.Old(old_side.urn));
}

ReasonPtr Selection::Deletes::WhyLeftOut() const { return Because(allowed_ ? Rule::kNotTargeted : Rule::kExcluded); }

}  // namespace kingpost::decisions
