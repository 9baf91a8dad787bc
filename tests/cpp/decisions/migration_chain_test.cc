// SPDX-License-Identifier: Apache-2.0
// Checks several callbacks of one migration, one after the other.
#include "decisions/migration_chain.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"
#include "decisions/migrated_states.h"

namespace kingpost::migration_chain_test {

using namespace plan_test;
using namespace decisions;

using States = std::vector<StatePtr>;

const Urn kRoot = UrnOf("root"), kA = UrnOf("a"), kB = UrnOf("b");

template <class F>
StatePtr Changed(const std::string& name, const F& change) {
  State state = StateOf(name);
  change(&state);
  return Share(std::move(state));
}

StatePtr Below(const std::string& name, const Urn& parent = kRoot) {
  return Changed(name, [&](State* state) { state->parent = parent; });
}

StatePtr Provider(const std::string& name, const Urn& depends_on = Urn()) {
  return Changed(name, [&](State* state) {
    state->type = "pulumi:providers:pkg";
    state->urn = UrnOf(name, state->type);
    state->parent = kRoot;
    if (!depends_on.empty()) state->dependencies = {depends_on};
  });
}

StateMigrationResponse Answer(const States& states, const std::map<Urn, Urn>& successors = {}) {
  StateMigrationResponse response;
  response.new_state = *EncodeForCallback(states);
  for (const auto& [from, to] : successors) response.successors[from.str()] = to.str();
  return response;
}

States Given(const MigrationChain& chain) { return *DecodeFromCallback(chain.Next()->old_state); }

const StatePtr kRootState = Share(StateOf("root"));

TEST_CASE("callbacks that return nothing change nothing, and none is asked twice") {
  MigrationChain chain(kRoot, {kRootState, Below("a")}, 2);
  CHECK(chain.Next()->urn == kRoot);
  CHECK_FALSE(chain.ended());
  REQUIRE(chain.Take(StateMigrationResponse()).ok());
  CHECK_FALSE(chain.ended());
  REQUIRE(chain.Take(StateMigrationResponse()).ok());
  CHECK(chain.ended());
  CHECK_FALSE(*chain.Finish());
}

TEST_CASE("a callback that returns its input has changed nothing") {
  MigrationChain chain(kRoot, {kRootState, Below("a")}, 1);
  REQUIRE(chain.Take(Answer({kRootState, Below("a")})).ok());
  CHECK_FALSE(*chain.Finish());
}

TEST_CASE("there and back again is no change") {
  MigrationChain chain(kRoot, {kRootState, Below("a")}, 2);
  State guarded = *Below("a");
  guarded.protect = true;
  REQUIRE(chain.Take(Answer({kRootState, Share(guarded)})).ok());
  REQUIRE(chain.Take(Answer({kRootState, Below("a")})).ok());
  CHECK_FALSE(*chain.Finish());
}

TEST_CASE("the next callback sees the root first, and references as they would have been written") {
  const Urn old_root = UrnOf("old");
  const StatePtr old_state = Share(StateOf("old"));
  MigrationChain chain(kRoot, {old_state, Below("a", old_root)}, 2);
  REQUIRE(chain.Take(Answer({Below("a", old_root), kRootState}, {{old_root, kRoot}})).ok());
  const States given = Given(chain);
  REQUIRE(given.size() == 2);
  CHECK(given[0]->urn == kRoot);
  CHECK(given[1]->parent == kRoot);

  REQUIRE(chain.Take(Answer({kRootState, Below("b")}, {{kA, kB}})).ok());
  const auto migrated = chain.Finish();
  REQUIRE(migrated.ok());
  REQUIRE(*migrated);
  CHECK((*migrated)->successors.original_successors == std::map<Urn, Urn>{{old_root, kRoot}, {kA, kB}});
  CHECK((*migrated)->returned.size() == 2);
}

TEST_CASE("errors tell which of how many callbacks it was") {
  const std::string which = "state migration 2 of 2 for " + kRoot.str() + ": ";
  const auto text = [](const Result<StateMigrationResponse>& second) {
    MigrationChain chain(kRoot, {kRootState, Below("a")}, 2);
    REQUIRE(chain.Take(StateMigrationResponse()).ok());
    return chain.Take(second).message();
  };
  CHECK(text(Status(Code::kUnknown, "bad migration")) == which + "bad migration");
  StateMigrationResponse nothing;
  nothing.successors["a"] = "b";
  CHECK(text(nothing) == which + "returned successors without returning a new state");
  StateMigrationResponse garbage;
  garbage.new_state = "{";
  CHECK(text(garbage).starts_with(which + "unmarshaling returned state: "));
  // A fault of the states is reported without the number of a callback.
  CHECK(text(Answer({kRootState})) == "state migration for " + kRoot.str() + ": did not account for resource " +
                                          kA.str() +
                                          ": it must either be returned in the new state or have a successor");
}

TEST_CASE("a name that one callback has given away does not come back by another") {
  for (const size_t callbacks : {2, 3}) {
    MigrationChain chain(kRoot, {kRootState, Below("a")}, callbacks);
    REQUIRE(chain.Take(Answer({kRootState, Below("b")}, {{kA, kB}})).ok());
    const Status taken = chain.Take(Answer({kRootState, Below("b"), Below("a")}));
    const std::string text =
        "resource " + kA.str() + " is present in the final state and also has successor " + kB.str();
    if (chain.ended()) CHECK(chain.Finish().status().message() == "state migration for " + kRoot.str() + ": " + text);
    if (!chain.ended()) CHECK(taken.message() == "state migration 2 of 3 for " + kRoot.str() + ": " + text);
  }
}

TEST_CASE("providers are returned as they are, and are not made") {
  const auto text = [](const States& before, const States& after, const std::map<Urn, Urn>& successors = {}) {
    MigrationChain chain(kRoot, before, 1);
    const Status taken = chain.Take(Answer(after, successors));
    return taken.ok() ? chain.Finish().status().message() : taken.message();
  };
  const StatePtr provider = Provider("p"), renamed = Provider("q");
  const std::string migration = "state migration for " + kRoot.str();
  State changed = *provider;
  changed.inputs = {{"region", "x"}};
  CHECK(text({kRootState, provider}, {kRootState, renamed}, {{provider->urn, renamed->urn}}) ==
        migration + " removes or renames provider state " + provider->urn.str() +
            "; provider states must be returned unchanged");
  CHECK(text({kRootState, provider}, {kRootState, Share(changed)}) ==
        migration + " changes provider state " + provider->urn.str() + "; provider states must be returned unchanged");
  CHECK(text({kRootState}, {kRootState, provider}) == migration + " introduces provider state " + provider->urn.str() +
                                                          "; provider states cannot be created by a state migration");
  CHECK(text({kRootState, provider, Below("a")}, {kRootState, provider, Below("b")}, {{kA, kB}}) == "");
}

TEST_CASE("a provider that refers to a removed resource stops the migration, wherever it is") {
  const StatePtr before = Provider("p", kA), after = Provider("p", kB);
  CHECK(CheckProvidersUnchanged(kRoot, {kRootState, before}, {kRootState, before}, "returned by the migration").ok());
  CHECK(CheckProvidersUnchanged(kRoot, {before}, {after}, "returned by the migration").message() ==
        "state migration for " + kRoot.str() + " rewrites references in provider state " + before->urn.str() +
            " returned by the migration; provider states must remain unchanged");
}

}  // namespace kingpost::migration_chain_test
