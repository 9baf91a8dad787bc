// SPDX-License-Identifier: Apache-2.0
// Checks that a migration changes the record only, and never which physical resource a state stands for.
#include "decisions/migration_identity.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::migration_identity_test {

using namespace plan_test;
using namespace decisions;

using States = std::vector<StatePtr>;

const Urn kRoot = UrnOf("root"), kA = UrnOf("a"), kB = UrnOf("b"), kC = UrnOf("c");
const std::string a = kA.str(), b = kB.str(), c = kC.str();  // NOLINT: as they stand in the texts

template <class F>
StatePtr As(const Urn& urn, const std::string& id, const F& change) {
  State state = StateOf("x");
  state.urn = urn;
  state.id = id;
  change(&state);
  return Share(std::move(state));
}
StatePtr As(const Urn& urn, const std::string& id) {
  return As(urn, id, [](State*) {});
}
StatePtr Component(const Urn& urn, bool guarded = false) {
  return As(urn, "", [guarded](State* state) {
    state->custom = false;
    state->protect = state->retain_on_delete = guarded;
  });
}

std::string Text(const States& original, const States& returned, const std::map<Urn, Urn>& successors = {}) {
  const std::string prefix = "state migration for " + kRoot.str() + " ";
  const std::string text = CheckIdentities(kRoot, original, returned, successors).message();
  if (text.empty()) return text;
  REQUIRE(text.starts_with(prefix));
  return text.substr(prefix.size());
}

TEST_CASE("a successor keeps the ID, the provider and the extension of its predecessor") {
  const auto with = [](std::string State::*field, const std::string& value) {
    return As(kB, "1", [&](State* state) { state->*field = value; });
  };
  const std::map<Urn, Urn> named = {{kA, kB}};
  const std::string of = " of managed custom resource " + a + " from ", on = " on successor " + b;
  CHECK(Text({As(kA, "1")}, {As(kB, "1")}, named) == "");
  CHECK(Text({As(kA, "1")}, {As(kB, "2")}, named) == "changes the physical ID" + of + "\"1\" to \"2\"" + on +
                                                         "; migrations must preserve managed resource identity");
  CHECK(Text({As(kA, "1")}, {with(&State::provider, "p")}, named) ==
        "changes the provider reference" + of + "\"\" to \"p\"" + on +
            "; migrations must preserve managed resource provider identity");
  CHECK(Text({As(kA, "1")}, {with(&State::extension_ref, "e")}, named) ==
        "changes the extension reference" + of + "\"\" to \"e\"" + on +
            "; migrations must preserve managed resource extension identity");
  CHECK(Text({As(kA, "1")}, {Component(kB)}, named) == "maps managed custom resource " + a +
                                                           " to component successor " + b +
                                                           "; migrations must preserve managed resource identity");
  CHECK(Text({Component(kA)}, {Component(kB)}, named) == "");
}

TEST_CASE("a successor keeps ownership, marks and protection, and so does a resource that keeps its name") {
  const std::map<Urn, Urn> named = {{kA, kB}};
  const auto on = [](const Urn& urn, bool State::*flag) {
    return As(urn, "1", [flag](State* state) { state->*flag = true; });
  };
  CHECK(Text({As(kA, "1")}, {on(kB, &State::external)}, named) ==
        "changes ownership of custom resource " + a + " from external=false to external=true on successor " + b +
            "; migrations must preserve managed resource ownership");
  CHECK(Text({on(kA, &State::pending_replacement)}, {As(kB, "1")}, named) ==
        "changes PendingReplacement for custom resource " + a + " from true to false on successor " + b +
            "; migrations must preserve provider lifecycle state");
  CHECK(Text({As(kA, "1")}, {on(kA, &State::taint)}) == "changes Taint for custom resource " + a +
                                                            " from false to true on successor " + a +
                                                            "; migrations must preserve provider lifecycle state");
  for (bool State::*flag : {&State::external, &State::pending_replacement, &State::taint}) {
    CHECK(Text({on(kA, flag)}, {on(kB, flag)}, named) == "");
  }
}

TEST_CASE("several may have one successor if they are the same thing, and it is as guarded as any of them") {
  const std::map<Urn, Urn> named = {{kA, kC}, {kB, kC}};
  const auto guarded = [](const Urn& urn) {
    return As(urn, "1", [](State* state) { state->protect = state->retain_on_delete = true; });
  };
  CHECK(Text({As(kA, "1"), As(kB, "1")}, {As(kC, "1")}, named) == "");
  CHECK(Text({As(kA, "1"), Component(kB)}, {As(kC, "1")}, named) == "");
  CHECK(Text({As(kA, "1"), As(kB, "2")}, {As(kC, "1")}, named).starts_with("changes the physical ID"));
  CHECK(Text({As(kA, "1"), Component(kB, true)}, {guarded(kC)}, named) == "");
  CHECK(Text({As(kA, "1"), guarded(kB)}, {As(kC, "1")}, named) ==
        "changes Protect for resource " + c +
            " from inherited value true to false; migrations must preserve resource protection");
  CHECK(Text({As(kA, "1")}, {As(kA, "1", [](State* state) { state->retain_on_delete = true; })}) ==
        "changes RetainOnDelete for resource " + a +
            " from inherited value false to true; migrations must preserve resource retention");
}

TEST_CASE("a new resource without a predecessor must be part of a recorded thing, and inherits its marks") {
  const auto flagged = [](const Urn& urn, bool State::*flag) {
    return As(urn, "1", [flag](State* state) { state->*flag = true; });
  };
  CHECK(Text({As(kA, "1")}, {As(kA, "1"), As(kB, "1")}) == "");
  CHECK(Text({As(kA, "1")}, {As(kA, "1"), Component(kB)}) == "");
  CHECK(Text({As(kA, "1")}, {As(kA, "1"), As(kB, "2")}) ==
        "introduces custom resource " + b + " with ID \"2\" without a managed custom predecessor; migrations cannot " +
            "import resources");
  CHECK(Text({As(kA, "1")}, {As(kA, "1"), As(kB, "")}).starts_with("introduces custom resource"));
  CHECK(Text({As(kA, "1")}, {As(kA, "1"), flagged(kB, &State::external)}) ==
        "changes ownership of custom resource " + a + " from external=false to external=true on inferred successor " +
            b + "; migrations must preserve managed resource ownership");
  CHECK(Text({flagged(kA, &State::protect)}, {flagged(kA, &State::protect), As(kB, "1")})
            .starts_with("changes Protect for resource " + b + " from inherited value true to false"));
  CHECK(Text({Component(kRoot)}, {Component(kRoot), As(kB, "1")}).starts_with("introduces custom resource"));
}

TEST_CASE("a migration cannot add the marks of a pending replacement or of a taint") {
  const auto component_with = [](bool State::*flag) {
    return As(kB, "", [flag](State* state) { state->custom = false, state->*flag = true; });
  };
  CHECK(Text({Component(kB)}, {component_with(&State::pending_replacement)}) ==
        "returns resource " + b + " with PendingReplacement set without a pending-replacement custom predecessor");
  CHECK(Text({Component(kB)}, {component_with(&State::taint)}) ==
        "returns resource " + b + " with Taint set without a tainted custom predecessor");
}

}  // namespace kingpost::migration_identity_test
