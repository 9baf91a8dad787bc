// SPDX-License-Identifier: Apache-2.0
#include "engine/state_migration.h"

#include "decisions/migration.h"
#include "decisions/migration_identity.h"
#include "decisions/migration_limits.h"
#include "model/secret_texts.h"

namespace kingpost::engine {

namespace {

Task<Status> Ask(Callbacks& functions, std::vector<Callback> callbacks, decisions::MigrationChain* chain) {
  for (const Callback& callback : callbacks) {
    Result<StateMigrationRequest> request = chain->Next();
    if (!request.ok()) co_return request.status();
    auto asking = functions.MigrateState(callback, *std::move(request));
    const Result<StateMigrationResponse> answer = co_await std::move(asking);
    KP_CO_TRY(chain->Take(answer));
  }
  co_return Status();
}

// A value that a callback made secret is masked from now on wherever it appears.
void RememberSecrets(const PropertyMap& properties) {
  (void)Rewrite(properties, [](const Value& value) {
    if (value.is_secret()) SecretsSeen().AddAll(value.as_secret().element);
    return value;
  });
}

Result<decisions::Migration> Decide(const RegistrationParts& parts, const Urn& urn,
                                    const decisions::MigrationScope& scope, const decisions::MigratedStates& migrated) {
  const decisions::Rows& rows = parts.run.rows();
  const std::map<Urn, Urn>& successors = migrated.successors.original_successors;
  KP_TRY(decisions::CheckMigrationAllowed(urn, parts.operation, parts.run.selection(), successors));
  KP_TRY(decisions::CheckIdentities(urn, scope.states, migrated.returned, successors));
  KP_TRY(decisions::CheckSettled(urn, scope, rows));
  return decisions::PrepareMigration(urn, scope, migrated, parts.operation, rows);
}

}  // namespace

Task<Status> MigrateStates(const RegistrationParts& parts, Urn urn, std::shared_ptr<const Goal> goal,
                           std::vector<Callback> callbacks) {
  decisions::Rows& rows = parts.run.rows();
  const StatePtr root = decisions::PriorRoot(parts.operation.stack, parts.operation.project, urn, *goal, rows);
  if (!root) co_return Status();
  const decisions::MigrationScope scope = decisions::ScopeOf(root, rows);
  KP_CO_TRY(decisions::CheckMigratable(urn, scope, rows));
  decisions::MigrationChain chain(urn, scope.states, callbacks.size());
  KP_CO_TRY(co_await Ask(parts.operation.host->callbacks(), std::move(callbacks), &chain));
  const Result<std::optional<decisions::MigratedStates>> migrated = chain.Finish();
  if (!migrated.ok()) co_return migrated.status();
  if (!*migrated) co_return Status();

  const Result<decisions::Migration> migration = Decide(parts, urn, scope, **migrated);
  if (!migration.ok()) co_return migration.status();
  for (const StatePtr& state : migration->result) {
    RememberSecrets(state->inputs);
    RememberSecrets(state->outputs);
  }
  const Status recorded = co_await parts.recording.Migrate(*migration);
  if (!recorded.ok()) co_return recorded.Wrap(decisions::MigrationOf(urn));
  rows.Migrate(*migration);
  parts.report.Info(urn, decisions::MigratedText(*migration, parts.operation.options.preview));
  co_return Status();
}

void MigrationsOfComponents::Join(RegisterResourceRequest* request) {
  const bool keeps = request->remote && !request->state_migrations.empty();
  if (kept_.empty() && !keeps) return;
  const std::string key = request->parent.str() + "::" + request->type + "::" + request->name;
  const auto found = kept_.find(key);
  if (found == kept_.end()) {
    if (keeps) kept_[key] = {request->state_migrations, request->aliases};
    return;
  }
  Kept kept = std::move(found->second);
  kept_.erase(found);
  request->state_migrations.insert(request->state_migrations.end(), kept.callbacks.begin(), kept.callbacks.end());
  request->aliases.insert(request->aliases.begin(), kept.aliases.begin(), kept.aliases.end());
}

}  // namespace kingpost::engine
