// SPDX-License-Identifier: Apache-2.0
// Checks which references of a resource are dependencies.
#include "decisions/dependency_refs.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::dependency_refs_test {

using namespace plan_test;

TEST_CASE("a resource depends on all that it names") {
  const Urn provider = UrnOf("p", "pulumi:providers:pkg");
  State state = StateOf("a");
  state.provider = provider.str() + "::id";
  state.parent = UrnOf("parent");
  state.dependencies = {UrnOf("d1"), UrnOf("d2")};
  state.property_dependencies = {{"k", {UrnOf("k1")}}, {"l", {UrnOf("l1"), UrnOf("l2")}}};
  state.deleted_with = UrnOf("dw");
  state.replace_with = {UrnOf("rw")};
  std::string names, properties;
  for (const decisions::DependencyRef& ref : decisions::AllDependencies(state)) {
    names += std::string(ref.urn.name()) + " ";
    properties += ref.property;
  }
  CHECK(names == "parent d1 d2 k1 l1 l2 dw rw ");
  CHECK(properties == "kll");
  CHECK(decisions::ProviderUrn(state) == provider);
  for (const char* name : {"parent", "d1", "d2", "k1", "l1", "l2", "dw", "rw"}) {
    const Urn urn = UrnOf(name);
    CHECK(decisions::DependsOnAny(state, [&urn](const Urn& other) { return other == urn; }));
  }
  CHECK(decisions::DependsOnAny(state, [&provider](const Urn& other) { return other == provider; }));
  CHECK_FALSE(decisions::DependsOnAny(state, [&state](const Urn& other) { return other == state.urn; }));
  CHECK(decisions::AllDependencies(StateOf("b")).empty());
  CHECK(decisions::ProviderUrn(StateOf("b")).empty());
  CHECK_FALSE(decisions::DependsOnAny(StateOf("b"), [](const Urn&) { return true; }));
}

}  // namespace kingpost::dependency_refs_test
