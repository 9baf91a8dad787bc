// SPDX-License-Identifier: Apache-2.0
// Checks where the result of a migration goes, and what the rows of a run hold afterwards.
#include "decisions/migration_place.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"
#include "decisions/migration.h"

namespace kingpost::migration_place_test {

using namespace plan_test;
using namespace decisions;

using States = std::vector<StatePtr>;

// "a", "b" and "tail" are children of the root.
Urn Who(const std::string& name) {
  const bool is_child = name == "a" || name == "b" || name == "tail";
  return Urn::Make("stack", "project", is_child ? "pkg:m:Typ" : "", "pkg:m:Typ", name);
}

StatePtr Named(const std::string& name, const std::vector<std::string>& dependencies = {},
               const std::string& parent = "") {
  State state = StateOf(name);
  state.urn = Who(name);
  for (const std::string& dependency : dependencies) state.dependencies.push_back(Who(dependency));
  if (!parent.empty()) state.parent = Who(parent);
  return Share(std::move(state));
}

// "p c'1 b": names in order, each with its former place if it had one.
std::string Order(const std::vector<PlacedState>& placed) {
  std::string order;
  for (const PlacedState& one : placed) {
    order += (order.empty() ? "" : " ") + std::string(one.state->urn.name());
    if (one.was) order += std::to_string(*one.was);
  }
  return order;
}

std::string Place(const States& base, const std::vector<size_t>& places, const States& result,
                  const std::map<Urn, Urn>& successors = {}) {
  const auto placed = PlaceResult(base, places, result, Successors(successors, result));
  return placed.ok() ? Order(*placed) : placed.status().message();
}

TEST_CASE("the result takes the place of the last old state") {
  const States base = {Named("p"), Named("root"), Named("between"), Named("a", {}, "root"), Named("behind")};
  CHECK(Place(base, {1, 3}, {Named("root"), Named("b", {}, "root")}, {{Who("a"), Who("b")}}) ==
        "p0 between2 root b behind4");
  CHECK(Place(base, {1, 3}, {Named("root")}, {{Who("a"), Who("root")}}) == "p0 between2 root behind4");
}

TEST_CASE("a dependency moves before its dependents, and nothing else moves") {
  const States base = {Named("root"), Named("a", {}, "root"),    Named("c", {"a"}),
                       Named("free"), Named("tail", {}, "root"), Named("behind")};
  CHECK(Place(base, {0, 1, 4}, {Named("root"), Named("b", {}, "root"), Named("tail", {}, "root")},
              {{Who("a"), Who("b")}}) == "root b c2 free3 tail behind5");
}

TEST_CASE("a circle has no order") {
  const States base = {Named("root"), Named("a", {}, "root"), Named("c", {"a"})};
  CHECK(Place(base, {0, 1}, {Named("root"), Named("b", {"c"}, "root")}, {{Who("a"), Who("b")}})
            .starts_with("snapshot has cyclic dependencies"));
}

// A run in which "made" was registered, before the migration of root and a to root and b.
struct Given {
  Given() {
    operation.base = std::make_shared<Snapshot>();
    rows.SetBase({Named("made"), Named("root"), Named("a", {}, "root"), Named("c", {"a"}), Named("waits", {"a"})});
    rows.Claim(Who("made"));
    State made = *Named("made", {"a"});
    made.id = "new";
    step = Same(rows.Old(Who("made")), std::make_shared<State>(made));
    rows.Publish(step->new_state, false);
    rows.AwaitOutputs(step);
    rows.MarkPendingDelete(rows.Old(Who("waits")));
    rows.Claim(Who("root"));
  }
  Migration Prepare(const States& result, const std::map<Urn, Urn>& successors) {
    const MigratedStates migrated{result, {successors, successors}};
    auto migration = PrepareMigration(Who("root"), ScopeOf(rows.Old(Who("root")), rows), migrated, operation, rows);
    INFO(migration.status().message());
    REQUIRE(migration.ok());
    return *migration;
  }
  Operation operation;
  Rows rows;
  StepPtr step;
};

TEST_CASE("the rows of a run continue with the migrated base, and keep the other resources") {
  Given given;
  Rows& rows = given.rows;
  const StatePtr before = rows.Old(Who("c"));
  const Migration migration = given.Prepare({Named("root"), Named("b", {}, "root")}, {{Who("a"), Who("b")}});
  CHECK(MigratedText(migration, false) == "State migration applied (state entries: 2 before, 2 after).");
  CHECK(MigratedText(migration, true) == "State migration planned (state entries: 2 before, 2 after).");
  CHECK(rows.Old(Who("a")));  // nothing has changed yet
  rows.Migrate(migration);

  CHECK(rows.Old(Who("a")) == nullptr);
  REQUIRE(rows.Old(Who("b")));
  CHECK(rows.Old(Who("b"))->id == "b-id");
  CHECK(rows.base().size() == 5);
  CHECK(rows.Old(Who("c"))->dependencies == std::vector<Urn>{Who("b")});
  CHECK(before->dependencies == std::vector<Urn>{Who("a")});
  CHECK(rows.graph().DependingOn(rows.Old(Who("b")), false).size() == 2);
  CHECK(rows.WaitsForDelete(rows.Old(Who("waits"))));
  CHECK_FALSE(rows.WaitsForDelete(rows.Old(Who("c"))));

  CHECK(rows.Now(Who("made"))->dependencies == std::vector<Urn>{Who("b")});
  CHECK(given.step->new_state == rows.Now(Who("made")));
  CHECK(rows.TakeAwaiting(Who("made")) == given.step);
  CHECK(rows.migrations().WhyTaken(Who("a")));
  CHECK(rows.IsClaimed(Who("root")));
}

TEST_CASE("a resource that an alias renamed goes on under both names") {
  Rows rows;
  Operation operation;
  operation.base = std::make_shared<Snapshot>();
  rows.SetBase({Named("former"), Named("root"), Named("a", {"former"}, "root")});
  rows.Claim(Who("now"));
  rows.Continue(Who("now"), Who("former"));
  rows.Claim(Who("root"));
  const MigratedStates migrated{{Named("root"), Named("b", {"former"}, "root")},
                                {{{Who("a"), Who("b")}}, {{Who("a"), Who("b")}}}};
  const auto migration = PrepareMigration(Who("root"), ScopeOf(rows.Old(Who("root")), rows), migrated, operation, rows);
  INFO(migration.status().message());
  REQUIRE(migration.ok());
  rows.Migrate(*migration);
  REQUIRE(rows.Find(Who("now")));
  CHECK(rows.Find(Who("now")) == rows.Find(Who("former")));
  CHECK(rows.Find(Who("now"))->live()->urn == Who("former"));
  CHECK(rows.Find(Who("now"))->sides().size() == 1);
}

TEST_CASE("a state that would not be sound is refused, and a provider that would have to follow") {
  Given given;
  Rows& rows = given.rows;
  const MigrationScope scope = ScopeOf(rows.Old(Who("root")), rows);
  const auto text = [&](const States& result, const std::map<Urn, Urn>& successors) {
    return PrepareMigration(Who("root"), scope, {result, {successors, successors}}, given.operation, rows)
        .status()
        .message();
  };
  State component = *Named("root");
  component.custom = false;
  const std::string migration = "state migration for " + Who("root").str();
  CHECK(text({Share(component), Named("b", {}, "root")}, {{Who("a"), Who("b")}}) ==
        migration + ": deserializing returned state of " + Who("root").str() + ": resource '" + Who("root").str() +
            "' has 'custom' false but non-empty ID");
  const States circle = {Named("root"), Named("b", {"c"}, "root")};
  CHECK(text(circle, {{Who("a"), Who("b")}})
            .starts_with(migration + " produced an invalid state; no changes were made: snapshot has cyclic"));

  State provider = StateOf("p");
  provider.type = "pulumi:providers:pkg";
  provider.urn = UrnOf("p", provider.type);
  provider.dependencies = {Who("a")};
  rows.Publish(Share(provider), false);
  CHECK(text({Named("root"), Named("b", {}, "root")}, {{Who("a"), Who("b")}}) ==
        migration + " rewrites references in provider state " + provider.urn.str() +
            " created or updated earlier in this deployment; provider states must remain unchanged");
}

}  // namespace kingpost::migration_place_test
