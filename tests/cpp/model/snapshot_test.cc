// SPDX-License-Identifier: Apache-2.0
// Integrity, repair and normalisation of snapshots.
#include "model/snapshot.h"

#include <catch2/catch.hpp>

#include "model/states.h"

namespace kingpost::snapshot_test {

using testing::Names;
using testing::ReferenceTo;
using testing::TestProvider;
using testing::TestSnapshot;
using testing::TestState;
using testing::TestUrn;
using States = std::vector<StatePtr>;

std::string Verify(States resources) { return VerifyIntegrity(TestSnapshot(std::move(resources))).message(); }

std::string U(const std::string& name) { return TestUrn(name).str(); }

StatePtr DependsOn(const std::string& name, const std::string& target) {
  return TestState(name, [&](State* s) { s->dependencies = {TestUrn(target)}; });
}
StatePtr ChildOf(const std::string& name, const std::string& parent) {
  return TestState(name, [&](State* s) { s->parent = TestUrn(parent); });
}
StatePtr Deleted(const std::string& name) {
  return TestState(name, [](State* s) { s->pending_delete = true; });
}

TEST_CASE("integrity names the first violated rule and the resource", "[model]") {
  const auto a = TestState("a");
  const auto provider = TestProvider("p");
  const auto with_provider = TestState("x", [&](State* s) { s->provider = ReferenceTo(provider); });

  CHECK(Verify({a, DependsOn("b", "a"), ChildOf("c", "b")}) == "");
  CHECK(Verify({provider, with_provider}) == "");
  CHECK(Verify({TestState("a", [](State* s) { s->urn = Urn(); })}) ==
        "resource at index 0 missing required 'urn' field");
  CHECK(Verify({TestState("a", [](State* s) { s->type = ""; })}) ==
        "resource '" + U("a") + "' missing required 'type' field");
  CHECK(Verify({TestState("a", [](State* s) { s->custom = false; })}) ==
        "resource '" + U("a") + "' has 'custom false but non-empty ID");
  CHECK(Verify({with_provider, provider}) ==
        "resource " + U("x") + " refers to unknown provider " + ReferenceTo(provider));
  CHECK(Verify({TestState("x", [](State* s) { s->provider = "junk"; })}) ==
        "failed to parse provider reference for resource " + U("x") + ": expected '::' in provider reference 'junk'");
  CHECK(Verify({ChildOf("c", "a"), a}) == "child resource " + U("c") + "'s parent " + U("a") + " comes after it");
  CHECK(Verify({ChildOf("c", "a")}) == "child resource " + U("c") + " refers to missing parent " + U("a"));
  CHECK(Verify({DependsOn("c", "a"), a}) == "resource " + U("c") + "'s dependency " + U("a") + " comes after it");
  CHECK(Verify({DependsOn("c", "a")}) ==
        "resource " + U("c") + "'s dependency " + U("a") + " refers to missing resource");
  const auto property = TestState("c", [](State* s) { s->property_dependencies["k"] = {TestUrn("a")}; });
  CHECK(Verify({property, a}) ==
        "resource " + U("c") + "'s property dependency " + U("a") + " (from property k) comes after it");
  const auto deleted_with = TestState("c", [](State* s) { s->deleted_with = TestUrn("a"); });
  CHECK(Verify({deleted_with}) ==
        "resource " + U("c") + " is specified as being deleted with " + U("a") + ", which is missing");
  const auto replace_with = TestState("c", [](State* s) { s->replace_with = {TestUrn("a")}; });
  CHECK(Verify({replace_with, a}) ==
        "resource " + U("c") + " is specified as being replaced with " + U("a") + ", which comes after it");
  CHECK(Verify({a, TestState("a")}) == "duplicate resource " + U("a") + " (not marked for deletion)");
  CHECK(Verify({a, Deleted("a"), Deleted("a")}) == "");
  CHECK(Verify({ChildOf("self", "self")}) == "child resource " + U("self") + " refers to missing parent " + U("self"));
}

TEST_CASE("a resource that waits for its replacement may have lost its provider", "[model]") {
  CHECK(Verify({TestState("x", [](State* s) {
          s->provider = ReferenceTo(TestProvider("p"));
          s->pending_replacement = true;
        })}) == "");
}

TEST_CASE("integrity checks the manifest and the snippets", "[model]") {
  Snapshot snapshot = TestSnapshot({});
  snapshot.manifest.magic[0] = snapshot.manifest.magic[0] == '0' ? '1' : '0';
  CHECK(VerifyIntegrity(snapshot).message() == "magic cookie mismatch; possible tampering/corruption detected");

  snapshot = TestSnapshot({});
  snapshot.snippets_json = R"([{"uuid":"u"},{"uuid":"v"}])";
  CHECK(VerifyIntegrity(snapshot).ok());
  snapshot.snippets_json = R"([{"uuid":"u"},{"name":"v"}])";
  CHECK(VerifyIntegrity(snapshot).message() == "snippet at index 1 missing required 'uuid' field");
  snapshot.snippets_json = R"([{"uuid":"u"},{"uuid":"u"}])";
  CHECK(VerifyIntegrity(snapshot).message() == "duplicate snippet uuid \"u\" at indexes 0 and 1");
}

TEST_CASE("sorting puts dependencies first and changes nothing else", "[model]") {
  const auto provider = TestProvider("p");
  const auto user = TestState("user", [&](State* s) {
    s->provider = ReferenceTo(provider);
    s->parent = TestUrn("parent");
    s->dependencies = {TestUrn("dep")};
  });
  const auto sorted = TopologicalSort({TestState("first"), user, TestState("dep"), TestState("parent"), provider});
  REQUIRE(sorted.ok());
  CHECK(Names(*sorted) == "first p parent dep user");

  const States valid = {TestState("a"), Deleted("b"), DependsOn("c", "a"), DependsOn("d", "c")};
  CHECK(*TopologicalSort(valid) == valid);
}

TEST_CASE("sorting distinguishes old states from new ones by their deletion mark", "[model]") {
  const auto old_user = TestState("user", [](State* s) {
    s->pending_delete = true;
    s->dependencies = {TestUrn("a")};
  });
  const auto sorted = TopologicalSort({old_user, DependsOn("new", "a"), Deleted("a"), TestState("a")});
  REQUIRE(sorted.ok());
  CHECK(Names(*sorted) == "a(deleted) user(deleted) a new");
}

TEST_CASE("sorting names a cycle, however long", "[model]") {
  const auto cycle = TopologicalSort({DependsOn("a", "b"), DependsOn("b", "a")});
  CHECK(cycle.status().message() ==
        "snapshot has cyclic dependencies: " + U("a") + " needs " + U("b") + " needs " + U("a"));

  States chain;
  for (int i = 0; i < 100000; ++i) chain.push_back(ChildOf("r" + std::to_string(i), "r" + std::to_string(i + 1)));
  const auto sorted = TopologicalSort(chain);
  REQUIRE(sorted.ok());
  CHECK(sorted->front() == chain.back());
}

TEST_CASE("dangling references are dropped by position and orphans go to the nearest ancestor", "[model]") {
  // [A0 B(A) A1 A2 C(A)] without A0 and A2: B loses A, C keeps it.
  const States list = {DependsOn("b", "a"), TestState("a"), DependsOn("c", "a")};
  const States repaired = DropDanglingReferences(list, {});
  CHECK(repaired[0]->dependencies.empty());
  CHECK(repaired[1] == list[1]);
  CHECK(repaired[2] == list[2]);

  const std::map<Urn, StatePtr> removed = {{TestUrn("mid"), ChildOf("mid", "low")},
                                           {TestUrn("low"), ChildOf("low", "top")},
                                           {TestUrn("x"), ChildOf("x", "y")},
                                           {TestUrn("y"), ChildOf("y", "x")}};
  const States family =
      DropDanglingReferences({TestState("top"), ChildOf("leaf", "mid"), ChildOf("lost", "x")}, removed);
  CHECK(family[1]->parent == TestUrn("top"));
  CHECK(family[2]->parent.empty());

  const States all = DropDanglingReferences({TestState("r",
                                                       [](State* s) {
                                                         s->deleted_with = TestUrn("gone");
                                                         s->replace_with = {TestUrn("gone")};
                                                         s->property_dependencies["k"] = {TestUrn("gone")};
                                                       })},
                                            {});
  CHECK(all[0]->deleted_with.empty());
  CHECK(all[0]->replace_with.empty());
  CHECK(all[0]->property_dependencies.empty());
}

TEST_CASE("properties that depend on nothing lose their entries, and nothing else is touched", "[model]") {
  const StatePtr mixed = TestState("mixed", [](State* s) {
    s->property_dependencies["k"] = {};
    s->property_dependencies["l"] = {TestUrn("a")};
  });
  const States list = {TestState("a"), mixed, DependsOn("b", "a")};
  const States rewritten = DropEmptyPropertyDependencies(list);
  CHECK(rewritten[0] == list[0]);
  CHECK(rewritten[1]->property_dependencies == PropertyDependencies{{"l", {TestUrn("a")}}});
  CHECK(mixed->property_dependencies.size() == 2);
  CHECK(rewritten[2] == list[2]);
  CHECK(DropDanglingReferences({list[0], mixed}, {})[1] == mixed);
}

TEST_CASE("pruning renames a resource that loses its parent, and all references to it", "[model]") {
  const std::string type = "pkg:index:Res";
  const Urn orphan = TestUrn("orphan", type);
  const Urn leaf = TestUrn("leaf", type + "$" + type);
  const States list = {TestState("orphan",
                                 [&](State* s) {
                                   s->urn = orphan;
                                   s->parent = TestUrn("gone");
                                 }),
                       TestState("leaf",
                                 [&](State* s) {
                                   s->urn = leaf;
                                   s->parent = orphan;
                                 }),
                       TestState("user",
                                 [&](State* s) {
                                   s->dependencies = {leaf, TestUrn("gone")};
                                 }),
                       TestState("z")};
  std::vector<PruneResult> results;
  const States pruned = Prune(list, &results);
  CHECK(pruned[0]->urn == TestUrn("orphan"));
  CHECK(pruned[0]->parent.empty());
  CHECK(pruned[1]->urn == TestUrn("leaf", type));
  CHECK(pruned[1]->parent == pruned[0]->urn);
  CHECK(pruned[2]->dependencies == std::vector<Urn>{pruned[1]->urn});
  CHECK(pruned[3] == list[3]);
  CHECK(Verify(pruned) == "");
  REQUIRE(results.size() == 3);
  CHECK(results[0].removed[0].kind == "parent");
  CHECK(results[1].removed.empty());
  CHECK(results[2].removed[0].urn == TestUrn("gone"));
}

TEST_CASE("aliases are rewritten everywhere, also in unchanged states", "[model]") {
  const std::string type = "pkg:index:Res";
  const auto renamed = TestState("new", [&](State* s) {
    s->urn = TestUrn("new", "my:comp:C");
    s->aliases = {TestUrn("old")};
  });
  const Urn child_urn = TestUrn("child", type);
  const auto child = TestState("child", [&](State* s) {
    s->urn = child_urn;
    s->parent = TestUrn("old");
  });
  const auto user = TestState("user", [&](State* s) {
    s->dependencies = {TestUrn("other"), TestUrn("old")};
    s->property_dependencies["k"] = {child_urn};
    s->deleted_with = TestUrn("old");
    s->replace_with = {TestUrn("old")};
  });
  Snapshot snapshot = TestSnapshot({renamed, child, TestState("other"), user});
  snapshot.snippets_json = R"([{"uuid":"u","references":{"a":")" + U("old") + R"("}}])";
  NormalizeUrns(&snapshot);

  const States& list = snapshot.resources;
  const Urn new_child = TestUrn("child", "my:comp:C$" + type);
  CHECK(list[0]->aliases.empty());
  CHECK(list[1]->urn == new_child);
  CHECK(list[1]->parent == renamed->urn);
  CHECK(list[3]->dependencies == std::vector<Urn>{TestUrn("other"), renamed->urn});
  CHECK(list[3]->property_dependencies.find("k")->second == std::vector<Urn>{new_child});
  CHECK(list[3]->deleted_with == renamed->urn);
  CHECK(list[3]->replace_with == std::vector<Urn>{renamed->urn});
  CHECK(snapshot.snippets_json.find(renamed->urn.str()) != std::string::npos);
  CHECK(user->deleted_with == TestUrn("old"));  // published states stay as they are

  const States untouched = {TestState("a"), DependsOn("b", "a")};
  CHECK(NormalizeUrns(untouched) == untouched);
}

TEST_CASE("an aliased provider is followed by its references", "[model]") {
  const auto old_provider = TestProvider("before");
  const auto provider = TestState("after", [&](State* s) {
    *s = *TestProvider("after");
    s->aliases = {old_provider->urn};
    s->id = old_provider->id;
  });
  const auto user = TestState("user", [&](State* s) { s->provider = ReferenceTo(old_provider); });
  CHECK(NormalizeUrns({provider, user})[1]->provider == ReferenceTo(provider));
}

}  // namespace kingpost::snapshot_test
