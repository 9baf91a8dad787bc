// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration_chain.h"

#include <algorithm>

#include "decisions/migrated_states.h"
#include "decisions/successors.h"

namespace kingpost::decisions {

namespace {

constexpr char kUnchanged[] = "; provider states must be returned unchanged";

std::vector<StatePtr> RewrittenStates(const std::vector<StatePtr>& states, const std::map<Urn, Urn>& successors) {
  const Successors follow(successors, states);
  std::vector<StatePtr> rewritten;
  for (const StatePtr& state : states) rewritten.push_back(follow.Rewritten(state));
  return rewritten;
}

std::map<Urn, StatePtr> ProvidersIn(const std::vector<StatePtr>& states) {
  std::map<Urn, StatePtr> providers;
  for (const StatePtr& state : states) {
    if (state->is_provider()) providers.emplace(state->urn, state);
  }
  return providers;
}

Status WrongChain(std::string text) { return {Code::kInvalidArgument, std::move(text)}; }

Status ProvidersAreReturned(const Urn& root, const std::vector<StatePtr>& original,
                            const std::vector<StatePtr>& returned) {
  const std::string migration = MigrationOf(root);
  const std::map<Urn, StatePtr> before = ProvidersIn(original);
  const std::map<Urn, StatePtr> after = ProvidersIn(returned);
  for (const auto& [urn, state] : before) {
    const auto found = after.find(urn);
    if (found == after.end()) {
      return WrongChain(migration + " removes or renames provider state " + urn.str() + kUnchanged);
    }
    if (!AreEquivalent(*state, *found->second)) {
      return WrongChain(migration + " changes provider state " + urn.str() + kUnchanged);
    }
  }
  for (const auto& [urn, state] : after) {
    if (before.count(urn)) continue;
    return WrongChain(migration + " introduces provider state " + urn.str() +
                      "; provider states cannot be created by a state migration");
  }
  return Status();
}

}  // namespace

std::string MigrationOf(const Urn& root) { return "state migration for " + root.str(); }

Status CheckProvidersUnchanged(const Urn& root, const std::vector<StatePtr>& before, const std::vector<StatePtr>& after,
                               const std::string& origin) {
  for (size_t i = 0; i < before.size(); ++i) {
    if (!before[i]->is_provider() || before[i] == after[i]) continue;
    return WrongChain(MigrationOf(root) + " rewrites references in provider state " + before[i]->urn.str() + " " +
                      origin + "; provider states must remain unchanged");
  }
  return Status();
}

std::string MigrationChain::DescribeCallback() const {
  return "state migration " + std::to_string(asked_) + " of " + std::to_string(callbacks_) + " for " + root_.str();
}

Result<StateMigrationRequest> MigrationChain::Next() const {
  Result<std::string> json = EncodeForCallback(states_);
  if (!json.ok()) return json.status().Wrap(MigrationOf(root_));
  return StateMigrationRequest{root_, *std::move(json)};
}

Status MigrationChain::Take(const Result<StateMigrationResponse>& answer) {
  ++asked_;
  if (!answer.ok()) return answer.status().Wrap(DescribeCallback());
  if (!answer->new_state.empty()) return TakeStates(*answer);
  if (answer->successors.empty()) return Status();
  return WrongChain(DescribeCallback() + ": returned successors without returning a new state");
}

Status MigrationChain::TakeStates(const StateMigrationResponse& answer) {
  Result<std::vector<StatePtr>> returned = DecodeFromCallback(answer.new_state);
  if (!returned.ok()) return returned.status().Wrap("unmarshaling returned state").Wrap(DescribeCallback());
  std::map<Urn, Urn> successors;
  for (const auto& [from, to] : answer.successors) successors.emplace(Urn(from), Urn(to));
  KP_TRY(AccountFor(states_, *returned, successors).Wrap(MigrationOf(root_)));
  for (const auto& [from, to] : successors) {
    const auto [known, is_new] = named_.emplace(from, to);
    if (is_new || known->second == to) continue;
    return WrongChain(DescribeCallback() + ": resource " + from.str() + " has conflicting successors " +
                      known->second.str() + " and " + to.str());
  }
  const Urn was_root = states_.front()->urn;
  answered_ = true;
  states_ = *std::move(returned);
  if (ended()) return Status();
  const auto root = successors.find(was_root);
  const Urn is_root = root == successors.end() ? was_root : root->second;
  const auto found =
      std::find_if(states_.begin(), states_.end(), [&is_root](const StatePtr& state) { return state->urn == is_root; });
  KP_ASSERT(found != states_.end(), "what is accounted for is there");
  std::rotate(states_.begin(), found, found + 1);
  return PrepareNext().Wrap(DescribeCallback());
}

// The next callback sees references as they would have been written.
Status MigrationChain::PrepareNext() {
  const Result<FinalSuccessors> successors = Resolve(named_, original_, states_);
  if (!successors.ok()) return successors.status();
  std::vector<StatePtr> rewritten = RewrittenStates(states_, successors->all_successors);
  KP_TRY(CheckProvidersUnchanged(root_, states_, rewritten, "returned by the migration"));
  states_ = std::move(rewritten);
  return Status();
}

Result<std::optional<MigratedStates>> MigrationChain::Finish() const {
  KP_ASSERT(ended(), "all callbacks have been asked");
  if (!answered_ || AreEquivalent(original_, states_)) return std::optional<MigratedStates>();
  KP_TRY(ProvidersAreReturned(root_, original_, states_));
  Result<FinalSuccessors> successors = Resolve(named_, original_, states_);
  if (!successors.ok()) return successors.status().Wrap(MigrationOf(root_));
  return std::optional<MigratedStates>(MigratedStates{states_, *std::move(successors)});
}

}  // namespace kingpost::decisions
