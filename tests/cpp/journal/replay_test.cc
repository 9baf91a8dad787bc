// SPDX-License-Identifier: Apache-2.0
// Checks the replayer: each kind of entry, and whole runs of which every prefix must be a valid snapshot.
#include "journal/replay.h"

#include <catch2/catch.hpp>

#include "journal/random_run.h"
#include "model/states.h"

namespace kingpost::replay_test {

using testing::Names;
using testing::TestSnapshot;
using testing::TestState;
using testing::TestUrn;

Replayer On(std::vector<StatePtr> resources) {
  return Replayer(std::make_shared<const Snapshot>(TestSnapshot(std::move(resources))));
}

JournalEntry Begin(int64_t operation, StatePtr state, OperationType type) {
  JournalEntry entry;
  entry.operation_id = operation;
  entry.operation = type;
  entry.state = std::move(state);
  return entry;
}

JournalEntry Entry(EntryKind kind, int64_t operation, StatePtr state = nullptr, int64_t remove_old = -1) {
  JournalEntry entry;
  entry.kind = kind;
  entry.operation_id = operation;
  entry.state = std::move(state);
  entry.remove_old = remove_old;
  return entry;
}

std::string NamesOf(const Replayer& replayer) { return Names(replayer.Materialize().resources); }

StatePtr DependsOn(const std::string& name, const std::string& target) {
  return TestState(name, [&](State* s) { s->dependencies = {TestUrn(target)}; });
}

TEST_CASE("resources of this run come first, then the rest of the base", "[journal]") {
  Replayer replayer = On({TestState("a"), TestState("b"), TestState("c")});
  CHECK(NamesOf(replayer) == "a b c");
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 1, TestState("b"), 1)).ok());
  CHECK(NamesOf(replayer) == "b a c");
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 2, TestState("new"))).ok());
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 3, nullptr, 0)).ok());
  CHECK(NamesOf(replayer) == "b new c");
  JournalEntry remove = Entry(EntryKind::kSuccess, 4);
  remove.remove_new = 2;
  REQUIRE(replayer.Apply(remove).ok());
  CHECK(NamesOf(replayer) == "b c");
}

TEST_CASE("a replacement marks the old resource until it is deleted", "[journal]") {
  Replayer replayer = On({TestState("a")});
  JournalEntry create = Entry(EntryKind::kSuccess, 1, TestState("a"));
  create.delete_old = 0;
  REQUIRE(replayer.Apply(create).ok());
  CHECK(NamesOf(replayer) == "a a(deleted)");
  CHECK_FALSE(replayer.base()->resources[0]->pending_delete);  // published states stay as they are
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 2, nullptr, 0)).ok());
  CHECK(NamesOf(replayer) == "a");
}

TEST_CASE("a delete before a replacement leaves a pending replacement", "[journal]") {
  Replayer replayer = On({TestState("a"), DependsOn("b", "a")});
  JournalEntry deleted = Entry(EntryKind::kSuccess, 1);
  deleted.pending_replacement_old = 0;
  REQUIRE(replayer.Apply(deleted).ok());
  CHECK(NamesOf(replayer) == "a(replacing) b");
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 2, TestState("a"), 0)).ok());
  CHECK(NamesOf(replayer) == "a b");
}

TEST_CASE("marks reach resources that this run recorded", "[journal]") {
  Replayer replayer = On({});
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 1, TestState("a"))).ok());
  JournalEntry mark = Entry(EntryKind::kSuccess, 2);
  mark.delete_new = 1;
  REQUIRE(replayer.Apply(mark).ok());
  mark = Entry(EntryKind::kSuccess, 3);
  mark.pending_replacement_new = 1;
  REQUIRE(replayer.Apply(mark).ok());
  CHECK(NamesOf(replayer) == "a(deleted)(replacing)");
}

TEST_CASE("outputs and refreshes replace a resource in its place, removal wins", "[journal]") {
  Replayer replayer = On({TestState("a"), TestState("b")});
  const auto renewed = TestState("b", [](State* s) { s->id = "renewed"; });
  REQUIRE(replayer.Apply(Entry(EntryKind::kRefreshSuccess, 1, renewed, 1)).ok());
  CHECK(replayer.Materialize().resources[1] == renewed);
  REQUIRE(replayer.Apply(Entry(EntryKind::kRefreshSuccess, 2, nullptr, 0)).ok());
  CHECK(NamesOf(replayer) == "b");
  REQUIRE(replayer.Apply(Entry(EntryKind::kOutputs, 3, TestState("a"), 0)).ok());
  CHECK(NamesOf(replayer) == "b");

  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 4, TestState("c"))).ok());
  JournalEntry outputs = Entry(EntryKind::kOutputs, 5, TestState("c", [](State* s) { s->id = "out"; }));
  outputs.remove_new = 4;
  REQUIRE(replayer.Apply(outputs).ok());
  CHECK(replayer.Materialize().resources[0]->id == "out");
}

JournalEntry Migration(std::vector<int64_t> replaces, std::vector<StatePtr> result, std::map<Urn, Urn> successors,
                       std::vector<StateMigrationEntry::Rewritten> rewritten = {}) {
  JournalEntry entry;
  entry.kind = EntryKind::kStateMigration;
  entry.migration = std::make_shared<const StateMigrationEntry>(
      StateMigrationEntry{std::move(replaces), std::move(result), std::move(successors), std::move(rewritten)});
  return entry;
}

TEST_CASE("a state migration replaces states of the base, and all that names them follows", "[journal]") {
  Replayer replayer = On({TestState("root"), TestState("a"), DependsOn("c", "a"), TestState("free")});
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 1, DependsOn("made", "a"))).ok());
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 2, TestState("free"), 3)).ok());
  REQUIRE(replayer.Apply(Begin(3, DependsOn("open", "a"), OperationType::kCreating)).ok());
  REQUIRE(replayer.Apply(Migration({0, 1}, {TestState("root"), TestState("b")}, {{TestUrn("a"), TestUrn("b")}})).ok());
  const Snapshot migrated = replayer.Materialize();
  CHECK(Names(migrated.resources) == "b made free root c");
  CHECK(migrated.resources[1]->dependencies == std::vector<Urn>{TestUrn("b")});
  CHECK(migrated.resources[4]->dependencies == std::vector<Urn>{TestUrn("b")});
  CHECK(replayer.OpenOperations()[0].resource->dependencies == std::vector<Urn>{TestUrn("b")});
  CHECK(Names(replayer.base()->resources) == "root b c free");

  // Places are those of the new base.
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 4, TestState("b"), 1)).ok());
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 5, nullptr, 2)).ok());
  CHECK(NamesOf(replayer) == "b made free root");
}

TEST_CASE("a migration's entry has the whole states whose secrets it rewrote", "[journal]") {
  Replayer replayer = On({TestState("root"), DependsOn("c", "root")});
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 1, TestState("made"))).ok());
  const auto whole = [](const std::string& name) { return TestState(name, [](State* s) { s->id = "whole"; }); };
  REQUIRE(replayer
              .Apply(Migration({0}, {TestState("new")}, {{TestUrn("root"), TestUrn("new")}},
                               {{1, 0, whole("c")}, {-1, 1, whole("made")}}))
              .ok());
  const Snapshot migrated = replayer.Materialize();
  CHECK(Names(migrated.resources) == "made new c");
  CHECK(migrated.resources[0]->id == "whole");
  CHECK(migrated.resources[2]->id == "whole");
}

TEST_CASE("a migration of missing states is refused, and changes nothing", "[journal]") {
  Replayer replayer = On({TestState("a"), DependsOn("c", "a")});
  for (const JournalEntry& entry :
       {Migration({}, {TestState("a")}, {}), Migration({2}, {TestState("a")}, {}),
        Migration({-1}, {TestState("a")}, {}), Migration({0}, {TestState("a")}, {}, {{2, 0, TestState("a")}}),
        Migration({0}, {TestState("a")}, {}, {{-1, 7, TestState("a")}}), Entry(EntryKind::kStateMigration, 0)}) {
    CHECK(replayer.Apply(entry).code() == Code::kDataLoss);
  }
  const JournalEntry circle = Migration({0}, {DependsOn("b", "c")}, {{TestUrn("a"), TestUrn("b")}});
  CHECK(replayer.Apply(circle).code() == Code::kDataLoss);
  CHECK(NamesOf(replayer) == "a c");
}

TEST_CASE("a refresh that finds a resource gone repairs those that named it", "[journal]") {
  const auto child = TestState("child", [](State* s) { s->parent = TestUrn("b"); });
  const auto middle = TestState("b", [](State* s) { s->parent = TestUrn("a"); });
  Replayer replayer = On({TestState("a"), middle, child, DependsOn("d", "b")});
  REQUIRE(replayer.Apply(Entry(EntryKind::kRefreshSuccess, 1, nullptr, 1)).ok());
  const Snapshot snapshot = replayer.Materialize();
  CHECK(Names(snapshot.resources) == "a child d");
  CHECK(snapshot.resources[1]->parent == TestUrn("a"));
  CHECK(snapshot.resources[2]->dependencies.empty());
  CHECK(VerifyIntegrity(snapshot).ok());

  REQUIRE(replayer.Apply(Entry(EntryKind::kRebuiltBaseState, 0)).ok());
  REQUIRE(replayer.base()->resources.size() == 3);
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 2, nullptr, 2)).ok());  // counts in the new base
  CHECK(NamesOf(replayer) == "a child");
}

TEST_CASE("an operation without an end is pending, and of an earlier run's only creates stay pending", "[journal]") {
  Snapshot base = TestSnapshot({TestState("a")});
  base.pending_operations = {{TestState("lost"), OperationType::kCreating}, {TestState("a"), OperationType::kUpdating}};
  Replayer replayer(std::make_shared<const Snapshot>(base));
  REQUIRE(replayer.Apply(Begin(1, TestState("x"), OperationType::kCreating)).ok());
  REQUIRE(replayer.Apply(Begin(2, TestState("y"), OperationType::kDeleting)).ok());
  REQUIRE(replayer.Apply(Begin(3, TestState("z"), OperationType::kReading)).ok());
  REQUIRE(replayer.Apply(Entry(EntryKind::kBegin, 4)).ok());  // a step that leaves no trace
  REQUIRE(replayer.Apply(Entry(EntryKind::kFailure, 1)).ok());
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 3, TestState("z"))).ok());
  const auto pending = replayer.Materialize().pending_operations;
  REQUIRE(pending.size() == 2);
  CHECK(pending[0].resource->urn == TestUrn("y"));
  CHECK(pending[0].type == OperationType::kDeleting);
  CHECK(pending[1].resource->urn == TestUrn("lost"));
}

// A base with a, b and c, and a pending delete of b.
Replayer InDoubtOfB() {
  const auto thing = [](const std::string& name) {
    auto state = std::make_shared<State>(*TestState(name));
    state->custom = true;
    state->id = name + "-1";
    return state;
  };
  Snapshot base = TestSnapshot({thing("a"), thing("b"), thing("c")});
  base.pending_operations = {{base.resources[1], OperationType::kDeleting}};
  return Replayer(std::make_shared<const Snapshot>(base));
}

bool DoubtsB(const Replayer& replayer) {
  const auto pending = replayer.Materialize().pending_operations;
  const bool doubts = !pending.empty();
  CHECK(pending.size() == (doubts ? 1 : 0));
  return doubts && pending[0].type == OperationType::kDeleting && pending[0].resource->id == "b-1";
}

TEST_CASE("a delete begun by an earlier run is in doubt until its provider was asked", "[journal]") {
  Replayer replayer = InDoubtOfB();
  const StatePtr b = replayer.base()->resources[1];
  CHECK(DoubtsB(replayer));
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 1, b, 1)).ok());  // a same
  CHECK(DoubtsB(replayer));
  SECTION("by a refresh in a program") {
    JournalEntry read = Entry(EntryKind::kSuccess, 2, b);
    read.remove_new = 1;
    read.is_refresh = true;
    REQUIRE(replayer.Apply(read).ok());
    CHECK_FALSE(DoubtsB(replayer));
  }
  SECTION("by a refresh") {
    JournalEntry read = Entry(EntryKind::kRefreshSuccess, 2, b);
    read.remove_new = 1;
    REQUIRE(replayer.Apply(read).ok());
    CHECK_FALSE(DoubtsB(replayer));
  }
  SECTION("by an update") {
    REQUIRE(replayer.Apply(Begin(2, b, OperationType::kUpdating)).ok());
    JournalEntry updated = Entry(EntryKind::kSuccess, 2, b);
    updated.remove_new = 1;
    REQUIRE(replayer.Apply(updated).ok());
    CHECK_FALSE(DoubtsB(replayer));
  }
  SECTION("by another delete, which is pending once while it runs") {
    REQUIRE(replayer.Apply(Begin(2, b, OperationType::kDeleting)).ok());
    CHECK(DoubtsB(replayer));
    JournalEntry deleted = Entry(EntryKind::kSuccess, 2);
    deleted.remove_new = 1;
    REQUIRE(replayer.Apply(deleted).ok());
    CHECK_FALSE(DoubtsB(replayer));
  }
}

TEST_CASE("the base, the secrets manager, snippets and extensions can be set", "[journal]") {
  Snapshot base = TestSnapshot({TestState("a")});
  base.extensions["ref"] = "\"of the base\"";
  Replayer replayer(std::make_shared<const Snapshot>(base));
  JournalEntry secrets = Entry(EntryKind::kSecretsManager, 0);
  secrets.secrets_type = "passphrase", secrets.secrets_state_json = R"({"salt":"v1:x"})";
  REQUIRE(replayer.Apply(secrets).ok());
  JournalEntry write = Entry(EntryKind::kWrite, 0);
  base.resources = {TestState("b"), TestState("c")};
  write.new_base = std::make_shared<const Snapshot>(base);
  REQUIRE(replayer.Apply(write).ok());
  JournalEntry extension = Entry(EntryKind::kExtensionParameterize, 1);
  extension.extension_ref = "ref", extension.extension_json = "\"new\"";
  REQUIRE(replayer.Apply(extension).ok());
  extension.extension_ref = "other";
  REQUIRE(replayer.Apply(extension).ok());
  JournalEntry snippets = Entry(EntryKind::kSnippets, 0);
  snippets.snippets_json = "[]";
  REQUIRE(replayer.Apply(snippets).ok());

  const Snapshot snapshot = replayer.Materialize();
  CHECK(Names(snapshot.resources) == "b c");
  CHECK(snapshot.secrets_type == "passphrase");
  CHECK(snapshot.secrets_state_json == R"({"salt":"v1:x"})");
  CHECK(snapshot.snippets_json == "[]");
  CHECK(snapshot.extensions == std::map<std::string, std::string>{{"ref", "\"of the base\""}, {"other", "\"new\""}});
  CHECK(snapshot.manifest.version == base.manifest.version);

  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 2, nullptr, 0)).ok());
  CHECK(replayer.Apply(write).message().find("after resources of the former one have changed") != std::string::npos);
}

TEST_CASE("a base that is rebuilt has no lists of dependencies without a member", "[journal]") {
  Replayer replayer = On({TestState("a"), TestState("b", [](State* state) {
                            state->property_dependencies = {{"full", {TestUrn("a")}}, {"empty", {}}};
                          })});
  REQUIRE(replayer.Apply(Entry(EntryKind::kRebuiltBaseState, 0)).ok());
  CHECK(replayer.base()->resources.at(1)->property_dependencies == PropertyDependencies{{"full", {TestUrn("a")}}});
}

TEST_CASE("entries that refer to nothing are refused and change nothing", "[journal]") {
  Replayer replayer = On({TestState("a")});
  JournalEntry entry = Entry(EntryKind::kSuccess, 1, TestState("b"), 1);
  entry.sequence = 7;
  CHECK(replayer.Apply(entry).message() ==
        "journal entry 7 (success) refers to resource 1 of a base that has 1 resources");
  entry.remove_old = -1;
  entry.remove_new = 5;
  CHECK(replayer.Apply(entry).message() ==
        "journal entry 7 (success) refers to operation 5, which recorded no resource");
  CHECK_FALSE(replayer.Apply(Entry(EntryKind::kOutputs, 1)).ok());
  CHECK(NamesOf(replayer) == "a");
}

TEST_CASE("aliases of new resources are followed in the untouched rest", "[journal]") {
  Replayer replayer = On({TestState("old"), DependsOn("user", "old")});
  const auto renamed = TestState("new", [](State* s) { s->aliases = {TestUrn("old")}; });
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 1, renamed, 0)).ok());
  const Snapshot snapshot = replayer.Materialize();
  CHECK(Names(snapshot.resources) == "new user");
  CHECK(snapshot.resources[1]->dependencies[0] == TestUrn("new"));
}

TEST_CASE("entries in an order that breaks the rule still give a valid order", "[journal]") {
  Replayer replayer = On({TestState("a")});
  REQUIRE(replayer.Apply(Entry(EntryKind::kSuccess, 1, DependsOn("b", "a"))).ok());
  CHECK(NamesOf(replayer) == "a b");
}

TEST_CASE("a refresh during the program keeps references to unrecorded sames", "[journal]") {
  // The program left a as it was, which is not recorded, refreshed and updated b, and created c below both.
  Replayer replayer = On({TestState("a"), TestState("b"), TestState("gone")});
  JournalEntry refreshed = Entry(EntryKind::kSuccess, 1, DependsOn("b", "a"), 1);
  refreshed.is_refresh = true;
  REQUIRE(replayer.Apply(refreshed).ok());
  REQUIRE(replayer
              .Apply(Entry(EntryKind::kSuccess, 2,
                           TestState("c",
                                     [](State* s) {
                                       s->parent = TestUrn("a");
                                       s->dependencies = {TestUrn("b"), TestUrn("gone")};
                                     })))
              .ok());
  REQUIRE(replayer.Apply(Entry(EntryKind::kRefreshSuccess, 3, nullptr, 2)).ok());
  const auto resources = replayer.Materialize().resources;
  CHECK(Names(resources) == "a b c");
  CHECK(resources[1]->dependencies == std::vector<Urn>{TestUrn("a")});
  CHECK(resources[2]->parent == TestUrn("a"));
  CHECK(resources[2]->dependencies == std::vector<Urn>{TestUrn("b")});
}

TEST_CASE("every prefix of a random run is a valid snapshot, and the whole is the state of the run", "[journal]") {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    const testing::RandomRun run = testing::MakeRandomRun(seed);
    Replayer replayer(std::make_shared<const Snapshot>(run.base));
    REQUIRE(VerifyIntegrity(run.base).message() == "");
    for (const JournalEntry& entry : run.entries) {
      REQUIRE(replayer.Apply(entry).message() == "");
      const Snapshot snapshot = replayer.Materialize();
      REQUIRE(VerifyIntegrity(snapshot).message() == "");
      REQUIRE(snapshot.pending_operations.size() == replayer.OpenOperations().size());
    }
    CHECK(Names(replayer.Materialize().resources) == run.names_at_end);
    CHECK(replayer.OpenOperations().empty());
  }
}

}  // namespace kingpost::replay_test
