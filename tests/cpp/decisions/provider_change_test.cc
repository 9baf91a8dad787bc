// SPDX-License-Identifier: Apache-2.0
// Checks what happens when a recorded resource gets another provider.
#include "decisions/provider_change.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::provider_change_test {

using namespace plan_test;
using namespace decisions;

std::string Reference(const std::string& name) {
  return UrnOf(name, "pulumi:providers:pkg").str() + "::" + name + "-id";
}

StatePtr ProviderState(const std::string& name) {
  State state = StateOf(name);
  state.urn = UrnOf(name, "pulumi:providers:pkg");
  return Share(std::move(state));
}

TEST_CASE("an equal or renamed provider changes nothing, a missing one replaces, and any other is asked") {
  Rows rows;
  rows.SetBase({ProviderState("p"), ProviderState("q")});
  rows.Claim(UrnOf("renamed", "pulumi:providers:pkg"));
  rows.Continue(UrnOf("renamed", "pulumi:providers:pkg"), UrnOf("p", "pulumi:providers:pkg"));
  const auto compare = [&rows](const std::string& before, const std::string& after, std::optional<bool> answered) {
    State recorded = StateOf("r"), draft = StateOf("r");
    recorded.provider = before;
    draft.provider = after;
    const auto change = CompareProviders(recorded, draft, answered, rows);
    if (!change.ok()) return std::string("fails");
    return std::string(change->question ? "asks" : change->replaces ? "replaces" : "nothing");
  };
  CHECK(compare(Reference("p"), Reference("p"), {}) == "nothing");
  CHECK(compare("", "", {}) == "nothing");
  CHECK(compare("", Reference("p"), {}) == "replaces");
  CHECK(compare(Reference("p"), "", {}) == "replaces");
  CHECK(compare(Reference("p"), Reference("renamed"), {}) == "nothing");
  CHECK(compare(Reference("q"), Reference("renamed"), {}) == "asks");
  CHECK(compare(Reference("p"), Reference("q"), {}) == "asks");
  CHECK(compare(Reference("p"), Reference("q"), true) == "replaces");
  CHECK(compare(Reference("p"), Reference("q"), false) == "nothing");
  CHECK(compare("no reference", Reference("q"), {}) == "fails");
  CHECK(compare(Reference("q"), "no reference", {}) == "fails");
}

TEST_CASE("two providers are compared where one is recorded and the other registered") {
  Rows rows;
  rows.SetBase({ProviderState("p"), ProviderState("q")});
  const auto reference = [](const std::string& name) { return *ProviderReference::Parse(Reference(name)); };
  const AskProvider question = {reference("p"), reference("q")};
  CHECK_FALSE(FindProvidersToCompare(question, rows));  // q is not registered
  const StatePtr registered = ProviderState("q");
  rows.Publish(registered, false);
  CHECK_FALSE(FindProvidersToCompare(question, rows));  // it was only kept
  rows.Claim(registered->urn);
  const auto found = FindProvidersToCompare(question, rows);
  REQUIRE(found);
  CHECK(found->recorded->urn == UrnOf("p", "pulumi:providers:pkg"));
  CHECK(found->wanted == registered);
  CHECK_FALSE(FindProvidersToCompare({reference("unrecorded"), reference("q")}, rows));
}

}  // namespace kingpost::provider_change_test
