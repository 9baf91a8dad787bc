// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration_scope.h"

#include <unordered_set>

#include "decisions/aliases.h"
#include "decisions/migration_chain.h"

namespace kingpost::decisions {

namespace {

Status NoPart(const Urn& urn, const std::string& text) {
  return {Code::kFailedPrecondition, MigrationOf(urn) + ": " + text};
}

}  // namespace

bool MigratesStates(RunMode mode) { return mode == RunMode::kUpdate; }

StatePtr PriorRoot(const std::string& stack, const std::string& project, const Urn& urn, const Goal& goal,
                   const Rows& rows) {
  if (StatePtr own = rows.Old(urn)) return own;
  for (const Urn& alias : FormerNames(stack, project, goal.parent, goal.type, goal.name, goal.aliases, rows)) {
    if (StatePtr former = rows.Old(alias)) return former;
  }
  return nullptr;
}

// Parents come first in the record.
MigrationScope ScopeOf(const StatePtr& root, const Rows& rows) {
  MigrationScope scope;
  std::unordered_set<Urn> inside = {root->urn};
  const std::vector<StatePtr>& base = rows.base();
  for (size_t i = 0; i < base.size(); ++i) {
    const StatePtr& state = base[i];
    if (state == root) {
      scope.states.insert(scope.states.begin(), state);
      scope.places.insert(scope.places.begin(), i);
    } else if (!state->parent.empty() && inside.count(state->parent)) {
      inside.insert(state->urn);
      if (state->pending_delete) {
        scope.leaving.push_back(state);
      } else {
        scope.states.push_back(state);
        scope.places.push_back(i);
      }
    }
  }
  return scope;
}

Status CheckMigratable(const Urn& urn, const MigrationScope& scope, const Rows& rows) {
  for (const StatePtr& state : scope.states) {
    if (!state->is_view() && rows.OldViews(state->urn).empty()) continue;
    return NoPart(urn, "resource " + state->urn.str() + " is or has a view; state migrations do not support views");
  }
  if (rows.IsRenamed(urn)) {
    return NoPart(urn, "the registration URN was already claimed as an alias by " + rows.CurrentUrn(urn).str() +
                           " earlier in this deployment");
  }
  for (const StatePtr& state : scope.states) {
    const std::string prior = "the prior state of " + state->urn.str();
    if (rows.IsRenamed(state->urn)) {
      return NoPart(urn, prior + " was already claimed by " + rows.CurrentUrn(state->urn).str() +
                             " earlier in this deployment (via an alias); it cannot also be migrated as part of " +
                             urn.str() + " in the same operation");
    }
    if (state->urn == urn || !rows.IsClaimed(state->urn)) continue;
    return NoPart(urn, prior + " was already registered earlier in this deployment; it cannot also be migrated as " +
                           "part of " + urn.str());
  }
  return Status();
}

}  // namespace kingpost::decisions
