// SPDX-License-Identifier: Apache-2.0
// Checks which states a migration is about, and which it must leave alone.
#include "decisions/migration_scope.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"
#include "decisions/migration_limits.h"

namespace kingpost::migration_scope_test {

using namespace plan_test;
using namespace decisions;

const Urn kRoot = UrnOf("root");

StatePtr Child(const std::string& name, const std::string& parent, bool pending_delete = false) {
  State state = StateOf(name);
  state.parent = UrnOf(parent);
  state.pending_delete = pending_delete;
  return Share(std::move(state));
}

std::string Names(const std::vector<StatePtr>& states) {
  std::string names;
  for (const StatePtr& state : states) names += (names.empty() ? "" : " ") + std::string(state->urn.name());
  return names;
}

TEST_CASE("only updates migrate states") {
  CHECK(MigratesStates(RunMode::kUpdate));
  CHECK_FALSE(MigratesStates(RunMode::kRefresh));
  CHECK_FALSE(MigratesStates(RunMode::kDestroy));
}

TEST_CASE("a migration gets the root and then its descendants in the record's order, without pending deletes") {
  Rows rows;
  rows.SetBase({Share(StateOf("before")), Share(StateOf("root")), Child("a", "root"), Share(StateOf("other")),
                Child("deep", "a"), Child("gone", "root", true), Child("far", "other"), Child("below gone", "gone")});
  const MigrationScope scope = ScopeOf(rows.Old(kRoot), rows);
  CHECK(Names(scope.states) == "root a deep below gone");
  CHECK(scope.places == std::vector<size_t>{1, 2, 4, 7});
  CHECK(Names(scope.leaving) == "gone");
  const Status settled = CheckSettled(kRoot, scope, rows);
  CHECK(settled.message() == "state migration for " + kRoot.str() +
                                 ": the prior state contains resources that are pending deletion from a previous "
                                 "update: " +
                                 UrnOf("gone").str() +
                                 "; resolve the pending deletion (for example by completing an update in which this "
                                 "migration makes no changes) before migrating " +
                                 kRoot.str());
}

TEST_CASE("the root is found by its own name first, then by its aliases, also by those that were succeeded") {
  Rows rows;
  rows.SetBase({Share(StateOf("root")), Share(StateOf("former"))});
  Goal goal;
  goal.type = "pkg:m:Typ";
  goal.name = "root";
  goal.aliases.emplace_back();
  goal.aliases.back().urn = UrnOf("former");
  CHECK(PriorRoot("stack", "project", kRoot, goal, rows)->urn == kRoot);
  CHECK(PriorRoot("stack", "project", UrnOf("new"), goal, rows)->urn == UrnOf("former"));
  goal.aliases.clear();
  CHECK(PriorRoot("stack", "project", UrnOf("new"), goal, rows) == nullptr);
}

TEST_CASE("a resource that another registration of this run claimed takes part in no migration") {
  Rows rows;
  const StatePtr root = Share(StateOf("root"));
  rows.SetBase({root, Child("a", "root"), Child("b", "root")});
  const MigrationScope scope = ScopeOf(root, rows);
  rows.Claim(kRoot);
  CHECK(CheckMigratable(kRoot, scope, rows).ok());
  const std::string prefix = "state migration for " + kRoot.str() + ": ", prior = prefix + "the prior state of ";

  SECTION("as itself") {
    rows.Claim(UrnOf("a"));
    CHECK(CheckMigratable(kRoot, scope, rows).message() ==
          prior + UrnOf("a").str() +
              " was already registered earlier in this deployment; it cannot also be migrated as part of " +
              kRoot.str());
  }
  SECTION("under another name") {
    rows.Claim(UrnOf("taker"));
    rows.Continue(UrnOf("taker"), UrnOf("a"));
    CHECK(CheckMigratable(kRoot, scope, rows).message() ==
          prior + UrnOf("a").str() + " was already claimed by " + UrnOf("taker").str() +
              " earlier in this deployment (via an alias); it cannot also be migrated as part of " + kRoot.str() +
              " in the same operation");
  }
  SECTION("the root itself, by an alias") {
    rows.Claim(UrnOf("taker"));
    Rows other;
    other.SetBase({root, Share(StateOf("was"))});
    other.Claim(UrnOf("taker"));
    other.Continue(UrnOf("taker"), kRoot);
    CHECK(CheckMigratable(kRoot, ScopeOf(root, other), other).message() ==
          prefix + "the registration URN was already claimed as an alias by " + UrnOf("taker").str() +
              " earlier in this deployment");
  }
  SECTION("a kept resource, which no registration claimed, takes part") {
    rows.Keep(UrnOf("a"), Because(Rule::kNotTargeted));
    CHECK(CheckMigratable(kRoot, scope, rows).ok());
  }
}

TEST_CASE("views and their owners take part in no migration") {
  Rows rows;
  State view = StateOf("view");
  view.parent = UrnOf("a");
  view.view_of = UrnOf("a");
  const StatePtr root = Share(StateOf("root"));
  rows.SetBase({root, Child("a", "root"), Share(view)});
  CHECK(CheckMigratable(kRoot, ScopeOf(root, rows), rows).message() ==
        "state migration for " + kRoot.str() + ": resource " + UrnOf("a").str() +
            " is or has a view; state migrations do not support views");
}

TEST_CASE("a resource that was deleted earlier in this run is not migrated") {
  Rows rows;
  const StatePtr root = Share(StateOf("root")), child = Child("a", "root");
  rows.SetBase({root, child});
  const MigrationScope scope = ScopeOf(root, rows);
  CHECK(CheckSettled(kRoot, scope, rows).ok());
  rows.MarkDeletedFirst(child, {}, Because(Rule::kForced));
  CHECK(CheckSettled(kRoot, scope, rows)
            .message()
            .starts_with("state migration for " + kRoot.str() + ": " + UrnOf("a").str() + " was deleted earlier"));
}

}  // namespace kingpost::migration_scope_test
