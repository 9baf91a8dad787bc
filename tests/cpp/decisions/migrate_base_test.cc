// SPDX-License-Identifier: Apache-2.0
// Old snapshots: resources without a provider, and providers without outputs.
#include "decisions/migrate_base.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"
#include "model/provider_inputs.h"

namespace kingpost::migrate_base_test {

using plan_test::Share;
using plan_test::StateOf;

std::shared_ptr<const Snapshot> Migrated(std::vector<StatePtr> resources) {
  Snapshot base;
  base.resources = std::move(resources);
  base.manifest.plugins_json = R"([{"name": "other", "version": "9.0.0"}, {"name": "pkg", "version": "1.2.3"}])";
  return decisions::MigrateBase(
      base, "stack", "project", [](int count) { return std::string(count, '\x11'); },
      [](const std::string& package) {
        return PropertyMap{{"of", Value(package)}};
      });
}

TEST_CASE("resources without a provider share a default one of their package") {
  const auto migrated = Migrated({Share(StateOf("a")), Share(StateOf("b"))});
  REQUIRE(migrated);
  REQUIRE(migrated->resources.size() == 3);
  const State& provider = *migrated->resources[0];
  CHECK(provider.urn.str() == "urn:pulumi:stack::project::pulumi:providers:pkg::default");
  CHECK(provider.custom);
  CHECK(provider.inputs.Find("of")->as_string() == "pkg");
  CHECK(provider.inputs.Find("version")->as_string() == "1.2.3");
  CHECK(provider.outputs.Find("of")->as_string() == "pkg");
  const std::string reference = provider.urn.str() + "::" + provider.id;
  CHECK(migrated->resources[1]->provider == reference);
  CHECK(migrated->resources[2]->provider == reference);
}

TEST_CASE("a provider without outputs has those that its inputs say") {
  State provider = StateOf("p");
  provider.type = "pulumi:providers:pkg";
  provider.urn = plan_test::UrnOf("p", provider.type);
  provider.inputs = {{"region", Value("eu")}};
  const auto migrated = Migrated({Share(provider)});
  REQUIRE(migrated);
  CHECK(migrated->resources[0]->outputs.Find("region")->as_string() == "eu");
  CHECK_FALSE(Migrated({migrated->resources[0]}));
}

TEST_CASE("a valid base stays as it is") {
  State served = StateOf("a");
  served.provider = "urn:pulumi:stack::project::pulumi:providers:pkg::p::id";
  State component = StateOf("c");
  component.custom = false;
  CHECK_FALSE(Migrated({Share(served), Share(component)}));
}

TEST_CASE("a resource of a provider needs an ID, unless it waits for its deletion") {
  const auto refusal = [](auto change) {
    State state = StateOf("a");
    state.id.clear();
    change(&state);
    Snapshot base;
    base.resources = {Share(StateOf("b")), Share(state)};
    return decisions::CheckIds(base).message();
  };
  CHECK(refusal([](State* state) { state->id = "x"; }).empty());
  CHECK(refusal([](State* state) { state->custom = false; }).empty());
  CHECK(refusal([](State* state) { state->pending_delete = true; }).empty());
  CHECK(refusal([](State*) {
        }).find("resource '" + plan_test::UrnOf("a").str() + "' is marked as custom but has no ID; remove it with `") ==
        0);
}

}  // namespace kingpost::migrate_base_test
