// SPDX-License-Identifier: Apache-2.0
// Checks that a migration's result can be recorded.
#include "decisions/migration_result.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::migration_result_test {

using namespace plan_test;
using namespace decisions;

using States = std::vector<StatePtr>;

const Urn kRoot = UrnOf("root", "my:m:Comp"), kPrior = UrnOf("prior", "my:m:Comp");
const Urn kChild = Urn::Make("stack", "project", "my:m:Comp", "pkg:m:Typ", "a");

State Component(const Urn& urn) {
  State state;
  state.urn = urn;
  state.type = std::string(urn.type());
  return state;
}

State Child(const std::string& name = "a", const Urn& parent = kRoot) {
  State state = StateOf(name);
  state.parent = parent;
  state.urn = Urn::Make("stack", "project", parent.qualified_type(), state.type, name);
  return state;
}

// The record: something else, and the root under `prior` with two children.
struct Given {
  explicit Given(const Urn& prior = kRoot) {
    rows.SetBase(
        {Share(StateOf("other")), Share(Component(prior)), Share(Child("a", prior)), Share(Child("was", prior))});
    rows.Claim(kRoot);
    scope = ScopeOf(rows.Old(prior), rows);
  }
  std::string Text(const States& result) const {
    const std::string prefix = "state migration for " + kRoot.str() + ": ";
    const std::string text = CheckMigrationResult(kRoot, scope, result, rows, {{"known", "{}"}}).message();
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
  template <class F>
  std::string WithChild(const F& change) const {
    State child = Child();
    change(&child);
    return Text({Share(Component(kRoot)), Share(child)});
  }
  Rows rows;
  MigrationScope scope;
};

TEST_CASE("the result holds the root, once, by its new or by its prior name") {
  const Given same, renamed(kPrior);
  CHECK(same.Text({Share(Component(kRoot)), Share(Child())}) == "");
  CHECK(renamed.Text({Share(Component(kRoot)), Share(Child())}) == "");
  CHECK(renamed.Text({Share(Component(kPrior)), Share(Child("a", kPrior))}) == "");
  CHECK(renamed.Text({Share(Child())}) == "the migration result must include the state for " + kRoot.str() +
                                              " (the resource being registered) under its new URN or its prior URN " +
                                              kPrior.str());
  CHECK(renamed.Text({Share(Component(kRoot)), Share(Component(kPrior))}) ==
        "the migration result includes both the new root " + kRoot.str() + " and its prior root " + kPrior.str() +
            "; it must include exactly one logical root");
}

TEST_CASE("names belong to the stack, and to no other registration of this run") {
  Given given;
  const auto called = [&given](const Urn& urn) { return given.WithChild([&](State* child) { child->urn = urn; }); };
  CHECK(called(Urn("urn:bad")) == "returned resource has invalid URN \"urn:bad\"");
  const Urn abroad = Urn::Make("elsewhere", "project", "my:m:Comp", "pkg:m:Typ", "a");
  CHECK(called(abroad) == "returned resource " + abroad.str() +
                              " belongs to stack \"elsewhere\" and project \"project\"; migration results must remain "
                              "in registration stack \"stack\" and project \"project\"");
  given.rows.Claim(kChild);
  CHECK(called(kChild) == "returned resource " + kChild.str() + " was already registered earlier in this deployment");
  Given taken;
  taken.rows.Claim(UrnOf("taker"));
  taken.rows.Continue(UrnOf("taker"), kChild);
  CHECK(taken.WithChild([](State*) {}) == "returned resource " + kChild.str() + " was already claimed as an alias by " +
                                              UrnOf("taker").str() + " earlier in this deployment");
}

TEST_CASE("each resource is whole") {
  const Given given;
  const std::string returned = "returned resource " + kChild.str() + " ";
  CHECK(given.WithChild([](State* s) { s->pending_delete = true; }) ==
        returned + "is marked for pending deletion; migrations may not return pending-delete resources");
  CHECK(given.WithChild([](State* s) { s->view_of = kRoot; }) ==
        returned + "is a view; state migrations do not support views");
  CHECK(given.WithChild([](State* s) { s->id.clear(); }) == "returned custom resource " + kChild.str() + " has no ID");
  CHECK(given.WithChild([](State* s) { s->extension_ref = "other"; }) ==
        returned + "references unknown extension other");
  CHECK(given.WithChild([](State* s) { s->extension_ref = "known"; }) == "");
}

TEST_CASE("each resource has the parent that its URN names, below the root") {
  const Given given;
  CHECK(given.WithChild([](State* s) { s->parent = Urn("urn:bad"); }) ==
        "returned resource " + kChild.str() + " has invalid parent URN \"urn:bad\"");
  CHECK(given.WithChild([](State* s) { s->urn = UrnOf("a"); }) ==
        "resource " + UrnOf("a").str() + " has parent " + kRoot.str() +
            " but qualified type pkg:m:Typ; expected my:m:Comp$pkg:m:Typ");
  CHECK(given.WithChild([](State* s) { s->parent = UrnOf("gone", "my:m:Comp"); }) ==
        "resource " + kChild.str() + " is parented to " + UrnOf("gone", "my:m:Comp").str() +
            " which is not part of the migration result");

  State moved = Component(kRoot);
  moved.parent = UrnOf("project-stack", std::string(kRootStackType));
  CHECK(given.Text({Share(moved)}) == "the parent of " + kRoot.str() + " may not be changed by a migration (got \"" +
                                          moved.parent.str() + "\", expected \"\")");
}

TEST_CASE("resources that are each other's parents are refused") {
  const Given given;
  State one = Component(Urn("urn:pulumi:stack::project::my:m:Comp$my:m:Comp::one"));
  State two = Component(Urn("urn:pulumi:stack::project::my:m:Comp$my:m:Comp::two"));
  one.parent = two.urn;
  two.parent = one.urn;
  const State child = Child("a", one.urn);
  CHECK(given.Text({Share(Component(kRoot)), Share(child), Share(one), Share(two)}) ==
        "resource " + child.urn.str() + " has a cyclic parent chain");
}

TEST_CASE("references name resources of the result, or resources outside the migration") {
  const Given given(kPrior);
  const Urn prior_child = Child("was", kPrior).urn;
  CHECK(given.WithChild([](State* s) { s->dependencies = {UrnOf("other"), kRoot}; }) == "");
  CHECK(given.WithChild([&](State* s) {
    s->property_dependencies = {{"p", {prior_child}}};
  }) == "resource " + kChild.str() + " refers to unknown resource " + prior_child.str());
  CHECK(given.WithChild([](State* s) { s->deleted_with = UrnOf("nobody"); }) ==
        "resource " + kChild.str() + " refers to unknown resource " + UrnOf("nobody").str());
  const std::string provider = ProviderReference{UrnOf("p", "pulumi:providers:pkg"), "1"}.str();
  CHECK(given.WithChild([&](State* s) { s->provider = provider; }) ==
        "resource " + kChild.str() + " refers to unknown provider " + provider);
  CHECK(given.WithChild([&](State* s) { s->provider = "nonsense"; })
            .starts_with("resource " + kChild.str() + " has an invalid provider reference \"nonsense\": "));
}

}  // namespace kingpost::migration_result_test
