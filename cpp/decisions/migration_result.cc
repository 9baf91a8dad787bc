// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration_result.h"

#include <unordered_map>
#include <unordered_set>

#include "base/encoding.h"
#include "decisions/migration_chain.h"
#include "model/references.h"

namespace kingpost::decisions {

namespace {

class ResultCheck {
 public:
  ResultCheck(const Urn& urn, const MigrationScope& scope, const std::vector<StatePtr>& result, const Rows& rows,
              const std::map<std::string, std::string>& extensions)
      : urn_(urn), prior_root_(*scope.states.front()), result_(result), rows_(rows), extensions_(extensions) {
    for (const StatePtr& state : scope.states) prior_.insert(state->urn);
    for (const StatePtr& state : result) by_urn_.emplace(state->urn, state.get());
  }

  Status Run() {
    KP_TRY(FindRoot());
    for (const StatePtr& state : result_) {
      KP_TRY(IsFree(*state));
      KP_TRY(IsWhole(*state));
      KP_TRY(StandsWhereItIsNamed(*state));
      KP_TRY(state->urn == root_ ? KeepsParent(*state) : IsBelowRoot(*state));
      KP_TRY(CheckKnownReferences(*state));
    }
    return Status();
  }

 private:
  Status Wrong(const std::string& text) const { return {Code::kInvalidArgument, MigrationOf(urn_) + ": " + text}; }
  static std::string Returned(const State& state) { return "returned resource " + state.urn.str(); }

  Status FindRoot() {
    const Urn& prior = prior_root_.urn;
    const bool has_new = by_urn_.count(urn_) > 0;
    const bool has_prior = prior != urn_ && by_urn_.count(prior) > 0;
    if (!has_new && !has_prior) {
      return Wrong("the migration result must include the state for " + urn_.str() +
                   " (the resource being registered) under its new URN or its prior URN " + prior.str());
    }
    if (has_new && has_prior) {
      return Wrong("the migration result includes both the new root " + urn_.str() + " and its prior root " +
                   prior.str() + "; it must include exactly one logical root");
    }
    root_ = has_new ? urn_ : prior;
    return Status();
  }

  Status IsFree(const State& state) const {
    if (!state.urn.valid()) return Wrong("returned resource has invalid URN " + Quote(state.urn.str()));
    if (state.urn.stack() != urn_.stack() || state.urn.project() != urn_.project()) {
      return Wrong(Returned(state) + " belongs to stack " + Quote(state.urn.stack()) + " and project " +
                   Quote(state.urn.project()) + "; migration results must remain in registration stack " +
                   Quote(urn_.stack()) + " and project " + Quote(urn_.project()));
    }
    if (state.urn == urn_) return Status();
    if (rows_.IsRenamed(state.urn)) {
      return Wrong(Returned(state) + " was already claimed as an alias by " + rows_.CurrentUrn(state.urn).str() +
                   " earlier in this deployment");
    }
    if (rows_.IsClaimed(state.urn)) {
      return Wrong(Returned(state) + " was already registered earlier in this deployment");
    }
    return Status();
  }

  Status IsWhole(const State& state) const {
    if (state.pending_delete) {
      return Wrong(Returned(state) +
                   " is marked for pending deletion; migrations may not return pending-delete resources");
    }
    if (state.is_view()) return Wrong(Returned(state) + " is a view; state migrations do not support views");
    if (state.custom && state.id.empty()) return Wrong("returned custom resource " + state.urn.str() + " has no ID");
    if (!state.extension_ref.empty() && !extensions_.count(state.extension_ref)) {
      return Wrong(Returned(state) + " references unknown extension " + state.extension_ref);
    }
    return Status();
  }

  Status StandsWhereItIsNamed(const State& state) const {
    const Urn& parent = state.parent;
    if (!parent.empty() && !parent.valid()) {
      return Wrong(Returned(state) + " has invalid parent URN " + Quote(parent.str()));
    }
    std::string expected = state.type;
    if (!parent.empty() && parent.qualified_type() != kRootStackType) {
      expected = std::string(parent.qualified_type()) + "$" + state.type;
    }
    if (state.urn.qualified_type() == expected) return Status();
    return Wrong("resource " + state.urn.str() + " has parent " + parent.str() + " but qualified type " +
                 std::string(state.urn.qualified_type()) + "; expected " + expected);
  }

  Status KeepsParent(const State& state) const {
    if (state.parent == prior_root_.parent) return Status();
    return Wrong("the parent of " + state.urn.str() + " may not be changed by a migration (got " +
                 Quote(state.parent.str()) + ", expected " + Quote(prior_root_.parent.str()) + ")");
  }

  Status IsBelowRoot(const State& state) const {
    const State* at = &state;
    for (size_t steps = 0; at->parent != root_; ++steps) {
      if (steps >= result_.size()) return Wrong("resource " + state.urn.str() + " has a cyclic parent chain");
      const auto up = by_urn_.find(at->parent);
      if (up == by_urn_.end()) {
        return Wrong("resource " + state.urn.str() + " is parented to " + at->parent.str() +
                     " which is not part of the migration result");
      }
      at = up->second;
    }
    return Status();
  }

  // References to predecessors have been rewritten, so what names one that is left names nothing.
  bool IsKnown(const Urn& urn) const {
    return by_urn_.count(urn) > 0 || (!prior_.count(urn) && !rows_.AllOld(urn).empty());
  }

  Status CheckKnownReferences(const State& state) const {
    if (!state.provider.empty()) {
      const auto reference = ProviderReference::Parse(state.provider);
      if (!reference.ok()) {
        return Wrong("resource " + state.urn.str() + " has an invalid provider reference " + Quote(state.provider) +
                     ": " + reference.status().message());
      }
      if (!IsKnown(reference->urn)) {
        return Wrong("resource " + state.urn.str() + " refers to unknown provider " + reference->str());
      }
    }
    Status known;
    ForEachReference(state, [&](ReferenceKind kind, const Urn& target, const std::string&) {
      if (!known.ok() || kind == ReferenceKind::kParent || IsKnown(target)) return;
      known = Wrong("resource " + state.urn.str() + " refers to unknown resource " + target.str());
    });
    return known;
  }

  const Urn& urn_;
  const State& prior_root_;
  const std::vector<StatePtr>& result_;
  const Rows& rows_;
  const std::map<std::string, std::string>& extensions_;
  std::unordered_set<Urn> prior_;
  std::unordered_map<Urn, const State*> by_urn_;
  Urn root_;  // as it is called in the result
};

}  // namespace

Status CheckMigrationResult(const Urn& urn, const MigrationScope& scope, const std::vector<StatePtr>& result,
                            const Rows& rows, const std::map<std::string, std::string>& extensions) {
  return ResultCheck(urn, scope, result, rows, extensions).Run();
}

}  // namespace kingpost::decisions
