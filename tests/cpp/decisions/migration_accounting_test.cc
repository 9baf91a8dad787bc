// SPDX-License-Identifier: Apache-2.0
// Checks that a migration accounts for each resource that it gets.
#include "decisions/migration_accounting.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::migration_accounting_test {

using namespace plan_test;
using namespace decisions;

using States = std::vector<StatePtr>;

const Urn kA = UrnOf("a"), kB = UrnOf("b"), kC = UrnOf("c");
const std::string a = kA.str(), b = kB.str(), c = kC.str();  // NOLINT: as they stand in the texts

StatePtr Named(const std::string& name) { return Share(StateOf(name)); }

template <class F>
StatePtr Changed(const std::string& name, const F& change) {
  State state = StateOf(name);
  change(&state);
  return Share(std::move(state));
}

std::string Text(const States& received, const States& returned, const std::map<Urn, Urn>& successors = {}) {
  return AccountFor(received, returned, successors).message();
}

TEST_CASE("a resource is accounted for if it, or its successor, is returned") {
  CHECK(Text({Named("a"), Named("b")}, {Named("b"), Named("a")}) == "");
  CHECK(Text({Named("a"), Named("b")}, {Named("c")}, {{kA, kC}, {kB, kC}}) == "");
  CHECK(Text({Named("a")}, {Named("a"), Named("b")}) == "");
  CHECK(Text({Named("a"), Named("b")}, {Named("a")}) ==
        "did not account for resource " + b + ": it must either be returned in the new state or have a successor");
}

TEST_CASE("each resource that a callback gets or returns has a valid URN of its own") {
  const auto bad = [](State* state) { state->urn = Urn("urn:bad"); };
  const auto aliased = [](State* state) { state->aliases = {kB}; };
  const auto retyped = [](State* state) { state->type = "pkg:m:Other"; };
  CHECK(Text({Changed("a", bad)}, {}) == "received a resource with invalid URN \"urn:bad\"");
  CHECK(Text({Named("a"), Named("a")}, {}) == "received duplicate resource " + a);
  CHECK(Text({}, {Changed("a", bad)}) == "returned a resource with invalid URN \"urn:bad\"");
  CHECK(Text({Named("a")}, {Changed("a", aliased)}) ==
        "returned resource " + a +
            " with aliases; state migration callbacks must express renames with successor mappings instead");
  CHECK(Text({Named("a")}, {Named("a"), Named("a")}) == "returned duplicate resource " + a);
  CHECK(Text({Named("a")}, {Changed("a", retyped)}) ==
        "returned resource " + a + " with type pkg:m:Other, which does not match its URN type pkg:m:Typ");
}

TEST_CASE("a successor is returned, and its predecessor was received and is not returned") {
  CHECK(Text({Named("a")}, {Named("b")}, {{kA, Urn()}}) == "returned an empty successor mapping \"" + a + "\" -> \"\"");
  CHECK(Text({Named("a")}, {Named("a"), Named("b")}, {{kC, kB}}) ==
        "returned successor for resource " + c + ", which is not part of the prior state");
  CHECK(Text({Named("a")}, {Named("a"), Named("b")}, {{kA, kB}}) ==
        "resource " + a + " is both returned and assigned successor " + b);
  CHECK(Text({Named("a")}, {Named("b")}, {{kA, kC}}) ==
        "successor " + c + " for resource " + a + " is not present in the returned state");
}

TEST_CASE("a resource that keeps its name stays the same thing") {
  const auto component = [](State* state) { state->custom = false, state->id.clear(); };
  const auto other = [](State* state) { state->id = "other"; };
  CHECK(Text({Named("a")}, {Changed("a", component)}) ==
        "resource " + a + " changed between custom and component state without changing URN");
  CHECK(Text({Named("a")}, {Changed("a", other)}) ==
        "resource " + a + " changed ID from \"a-id\" to \"other\" without changing URN");
}

TEST_CASE("successors of several callbacks are taken together") {
  const auto resolved = Resolve({{kA, kB}, {kB, kC}}, {Named("a")}, {Named("c")});
  REQUIRE(resolved.ok());
  CHECK(resolved->original_successors == std::map<Urn, Urn>{{kA, kC}});
  CHECK(resolved->all_successors == std::map<Urn, Urn>{{kA, kC}, {kB, kC}});

  const auto text = [](const std::map<Urn, Urn>& named, const States& original, const States& returned) {
    return Resolve(named, original, returned).status().message();
  };
  CHECK(text({{kA, kB}, {kB, kA}}, {Named("a")}, {Named("a")}) == "successor mappings contain a cycle at " + a);
  CHECK(text({{kA, kB}}, {Named("a")}, {Named("a"), Named("b")}) ==
        "resource " + a + " is present in the final state and also has successor " + b);
  CHECK(text({{kA, kB}}, {Named("a")}, {Named("c")}) ==
        "successor " + b + " for resource " + a + " is not present in the final state");
  CHECK(text({}, {Named("a")}, {}) ==
        "did not account for resource " + a + ": it must either be returned in the final state or have a successor");
}

}  // namespace kingpost::migration_accounting_test
