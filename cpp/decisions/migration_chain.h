// SPDX-License-Identifier: Apache-2.0
// The callbacks of one state migration, one after the other (rows 11.4, 11.7 and 11.10). Each gets the result of
// the one before, as if that had been an update of its own. Pure.
//
//   while (!chain.ended()) { answer = ask(chain.Next()); chain.Take(answer); }
//   chain.Finish()
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "decisions/migration_accounting.h"
#include "kingpost/callbacks.h"

namespace kingpost::decisions {

// The result of the callbacks.
struct MigratedStates {
  std::vector<StatePtr> returned;  // as the last callback gave them
  FinalSuccessors successors;
};

class MigrationChain {
 public:
  // `states`: the root first.
  MigrationChain(Urn root, std::vector<StatePtr> states, size_t callbacks)
      : root_(std::move(root)), original_(states), states_(std::move(states)), callbacks_(callbacks) {}

  bool ended() const { return asked_ == callbacks_; }
  Result<StateMigrationRequest> Next() const;
  // A failed answer is the callback's own error.
  Status Take(const Result<StateMigrationResponse>& answer);
  // Nothing if the callbacks changed nothing, whatever they returned.
  Result<std::optional<MigratedStates>> Finish() const;

 private:
  Status TakeStates(const StateMigrationResponse& answer);
  Status PrepareNext();
  std::string DescribeCallback() const;  // "state migration 1 of 2 for URN"

  const Urn root_;
  const std::vector<StatePtr> original_;
  std::vector<StatePtr> states_;
  const size_t callbacks_;
  size_t asked_ = 0;
  bool answered_ = false;
  std::map<Urn, Urn> named_;  // successors
};

// The prefix of all that is said of the migration that `root` carries.
std::string MigrationOf(const Urn& root);

// Provider states stand for plugins that are configured: rewriting them would not change those. `before` and `after`
// are the same states in the same order, before and after their references were rewritten; `origin` says what they are.
Status CheckProvidersUnchanged(const Urn& root, const std::vector<StatePtr>& before, const std::vector<StatePtr>& after,
                               const std::string& origin);

}  // namespace kingpost::decisions
