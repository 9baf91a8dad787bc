// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration.h"

#include "decisions/migration_result.h"
#include "model/snapshot.h"

namespace kingpost::decisions {

namespace {

// The references of what the callbacks returned, to predecessors that even an earlier callback has made.
Result<std::vector<StatePtr>> ResultOf(const Urn& urn, const MigratedStates& migrated) {
  for (const StatePtr& state : migrated.returned) {
    if (state->custom || state->id.empty()) continue;
    const std::string& name = state->urn.str();
    return Status(Code::kInvalidArgument, MigrationOf(urn) + ": deserializing returned state of " + name +
                                              ": resource '" + name + "' has 'custom' false but non-empty ID");
  }
  const Successors any(migrated.successors.all_successors, migrated.returned);
  std::vector<StatePtr> result;
  for (const StatePtr& state : migrated.returned) result.push_back(any.Rewritten(state));
  KP_TRY(CheckProvidersUnchanged(urn, migrated.returned, result, "returned by the migration"));
  return result;
}

Status KeepProvidersOfBase(const Urn& urn, const std::vector<StatePtr>& base, const std::vector<PlacedState>& placed) {
  std::vector<StatePtr> before, after;
  for (const PlacedState& one : placed) {
    if (!one.was) continue;
    before.push_back(base[*one.was]);
    after.push_back(one.state);
  }
  return CheckProvidersUnchanged(urn, before, after, "retained from prior state");
}

Status IsOrdered(const Snapshot& recorded, const std::vector<PlacedState>& placed) {
  Snapshot snapshot;
  snapshot.manifest = recorded.manifest;
  for (const PlacedState& one : placed) snapshot.resources.push_back(one.state);
  return VerifyIntegrity(snapshot);
}

std::vector<std::pair<StatePtr, Draft>> RewrittenOfRun(const Rows& rows, const Successors& successors) {
  std::vector<std::pair<StatePtr, Draft>> made;
  if (successors.empty()) return made;
  for (const StatePtr& state : rows.NewStates()) {
    auto after = std::make_shared<State>(*state);
    if (successors.Follow(after.get())) made.emplace_back(state, std::move(after));
  }
  return made;
}

}  // namespace

Result<Migration> PrepareMigration(const Urn& urn, const MigrationScope& scope, const MigratedStates& migrated,
                                   const Operation& operation, const Rows& rows) {
  Result<std::vector<StatePtr>> result = ResultOf(urn, migrated);
  if (!result.ok()) return result.status();
  KP_TRY(CheckMigrationResult(urn, scope, *result, rows, operation.base->extensions));

  const std::string broken = MigrationOf(urn) + " produced an invalid state; no changes were made";
  Successors successors(migrated.successors.original_successors, *result);
  Result<std::vector<PlacedState>> base = PlaceResult(rows.base(), scope.places, *result, successors);
  if (!base.ok()) return base.status().Wrap(broken);
  KP_TRY(KeepProvidersOfBase(urn, rows.base(), *base));
  KP_TRY(IsOrdered(*operation.base, *base).Wrap(broken));

  std::vector<std::pair<StatePtr, Draft>> made = RewrittenOfRun(rows, successors);
  std::vector<StatePtr> before, after;
  for (const auto& [old_state, new_state] : made) {
    before.push_back(old_state);
    after.push_back(new_state);
  }
  KP_TRY(CheckProvidersUnchanged(urn, before, after, "created or updated earlier in this deployment"));
  return Migration{urn,
                   scope.places,
                   *std::move(result),
                   migrated.successors.original_successors,
                   std::move(successors),
                   *std::move(base),
                   std::move(made)};
}

std::string MigratedText(const Migration& migration, bool preview) {
  return std::string("State migration ") + (preview ? "planned" : "applied") +
         " (state entries: " + std::to_string(migration.places.size()) + " before, " +
         std::to_string(migration.result.size()) + " after).";
}

}  // namespace kingpost::decisions
