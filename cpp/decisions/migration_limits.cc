// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration_limits.h"

#include "base/encoding.h"
#include "base/json_access.h"
#include "decisions/migration_chain.h"

namespace kingpost::decisions {

namespace {

Status NoChange(const Urn& urn, const std::string& text) {
  return {Code::kFailedPrecondition, MigrationOf(urn) + text};
}

// A plan says what is done to resources, and nothing of a record that is rewritten.
Status HoldsToNoPlan(const Urn& urn, const OperationOptions& options) {
  if (!options.plan_json.empty()) {
    return NoChange(urn, " cannot change state while applying an update plan; run the update without the plan");
  }
  if (options.preview && options.save_plan) {
    return NoChange(urn, " cannot change state while generating an update plan; run the update without a plan");
  }
  return Status();
}

// Snippets keep the names they refer to beside the resources: {"uuid": .., "references": {"identifier": "urn"}}.
Status LeavesSnippets(const Urn& urn, const std::string& snippets_json, const std::map<Urn, Urn>& successors) {
  if (snippets_json.empty() || successors.empty()) return Status();
  for (const auto& snippet : ParseOrderedJson(snippets_json)) {
    const auto* references = FieldOf(snippet, "references");
    if (!references || !references->is_object()) continue;
    for (const auto& [name, reference] : references->items()) {
      const auto found = successors.find(Urn(TextIn(reference)));
      if (found == successors.end()) continue;
      return NoChange(urn, " cannot rewrite snippet " + Quote(TextOf(snippet, "uuid")) + " reference " + Quote(name) +
                               " from " + found->first.str() + " to " + found->second.str() +
                               "; remove or update the persisted snippet before migrating " + urn.str());
    }
  }
  return Status();
}

}  // namespace

Status CheckMigrationAllowed(const Urn& urn, const Operation& operation, const Selection& selection,
                             const std::map<Urn, Urn>& successors) {
  KP_TRY(HoldsToNoPlan(urn, operation.options));
  if (selection.IsRestricted()) {
    return NoChange(urn,
                    " cannot change state during a targeted or excluded update; run a full 'pulumi up' without "
                    "--target, --exclude, or --replace");
  }
  const size_t pending = operation.base->pending_operations.size();
  if (pending > 0) {
    return NoChange(urn, " cannot change state while the snapshot has " + std::to_string(pending) +
                             " pending operation(s); resolve them before migrating " + urn.str() +
                             ", by running 'pulumi refresh'");
  }
  return LeavesSnippets(urn, operation.base->snippets_json, successors);
}

Status CheckSettled(const Urn& urn, const MigrationScope& scope, const Rows& rows) {
  std::string leaving;
  for (const StatePtr& state : scope.leaving) leaving += (leaving.empty() ? "" : ", ") + state->urn.str();
  if (!leaving.empty()) {
    return NoChange(
        urn, ": the prior state contains resources that are pending deletion from a previous update: " + leaving +
                 "; resolve the pending deletion (for example by completing an update in which this "
                 "migration makes no changes) before migrating " +
                 urn.str());
  }
  for (const StatePtr& state : scope.states) {
    if (!rows.IsDeletedFirst(state) && !rows.IsDeleted(state->urn)) continue;
    return NoChange(urn, ": " + state->urn.str() +
                             " was deleted earlier in this deployment, for the sake of what it depends on; run the "
                             "update again to migrate " +
                             urn.str());
  }
  return Status();
}

}  // namespace kingpost::decisions
