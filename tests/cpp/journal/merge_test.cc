// SPDX-License-Identifier: Apache-2.0
// Checks that a merge brings the operations that only the journal records into a state that has changed since. Each
// comes in once.
#include "journal/merge.h"

#include <catch2/catch.hpp>

#include "model/states.h"

namespace kingpost::merge_test {

using testing::Names;
using testing::TestSnapshot;
using testing::TestState;
using testing::TestUrn;

StatePtr Made(const std::string& name, const std::string& id, const std::string& time) {
  return TestState(name, [&](State* state) {
    state->id = id;
    state->created = state->modified = time;
  });
}

constexpr char kEarly[] = "2026-01-01T00:00:00Z", kLate[] = "2026-01-02T00:00:00Z";

class Story {
 public:
  Story& Begin(OperationType type, StatePtr state) {
    JournalEntry entry = Next(EntryKind::kBegin);
    entry.operation_id = ++operation_;
    entry.operation = type;
    entry.state = std::move(state);
    journal_.entries.push_back(std::move(entry));
    return *this;
  }
  Story& End(EntryKind kind, StatePtr state, int64_t operation = 0) {
    JournalEntry entry = Next(kind);
    entry.operation_id = operation ? operation : operation_;
    entry.state = std::move(state);
    journal_.entries.push_back(std::move(entry));
    return *this;
  }
  Story& Migrate(std::vector<StatePtr> result, std::map<Urn, Urn> successors) {
    JournalEntry entry = Next(EntryKind::kStateMigration);
    entry.migration = std::make_shared<const StateMigrationEntry>(
        StateMigrationEntry{{0}, std::move(result), std::move(successors), {}});
    journal_.entries.push_back(std::move(entry));
    return *this;
  }
  // The operation lost the stack at this entry. The state of the process that took over has all entries before it.
  Story& Lost() {
    proven_ = static_cast<int64_t>(journal_.entries.size()) + 1;
    return *this;
  }
  MergeReport Into(Snapshot* snapshot) {
    if (proven_ > 0) {
      journal_.entries.push_back(Next(EntryKind::kFence));
      journal_.entries.back().proven = proven_;
    }
    const auto report = MergeJournal(journal_, snapshot);
    REQUIRE(report.status().message() == "");
    REQUIRE(VerifyIntegrity(*snapshot).message() == "");
    return *report;
  }

 private:
  JournalEntry Next(EntryKind kind) {
    JournalEntry entry;
    entry.kind = kind;
    entry.sequence = static_cast<int64_t>(journal_.entries.size()) + 1;
    return entry;
  }

  JournalContents journal_;
  int64_t operation_ = 0, proven_ = 0;
};

Snapshot WithPending(Snapshot snapshot, OperationType type, StatePtr state) {
  snapshot.pending_operations.push_back({std::move(state), type});
  return snapshot;
}

TEST_CASE("a create that ended after the stack was lost is added, and no longer pending", "[journal]") {
  const StatePtr b = Made("b", "b-1", kEarly);
  Snapshot now = WithPending(TestSnapshot({TestState("a")}), OperationType::kCreating, b);
  const auto report = Story().Begin(OperationType::kCreating, b).Lost().End(EntryKind::kSuccess, b).Into(&now);
  CHECK(Names(now.resources) == "a b");
  CHECK(now.pending_operations.empty());
  CHECK(report.changes.size() == 2);
  CHECK(report.warnings.empty());
}

TEST_CASE("a create that failed after the stack was lost is no longer pending", "[journal]") {
  const StatePtr b = Made("b", "", kEarly);
  Snapshot now = WithPending(TestSnapshot({TestState("a")}), OperationType::kCreating, b);
  Story().Begin(OperationType::kCreating, b).Lost().End(EntryKind::kFailure, nullptr).Into(&now);
  CHECK(Names(now.resources) == "a");
  CHECK(now.pending_operations.empty());
}

TEST_CASE("a merge repeats a state migration if the state has all its resources", "[journal]") {
  const StatePtr a = Made("a", "1", kEarly), b = Made("b", "1", kEarly), later = Made("b", "1", kLate);
  const StatePtr user = TestState("user", [](State* s) { s->dependencies = {TestUrn("a")}; });
  const auto story = Story().Lost().Migrate({b}, {{a->urn, b->urn}});
  SECTION("the state has them all") {
    Snapshot now = TestSnapshot({a, user});
    const auto report = Story(story).Begin(OperationType::kUpdating, b).End(EntryKind::kSuccess, later).Into(&now);
    CHECK(Names(now.resources) == "b user");
    CHECK(now.resources[0]->modified == kLate);
    CHECK(now.resources[1]->dependencies == std::vector<Urn>{b->urn});
    CHECK(report.changes.at(0) == "migrated " + a->urn.str() + " to " + b->urn.str());
    CHECK(report.warnings.empty());
  }
  SECTION("the state has the resource under another name: the result is no second record of it") {
    const StatePtr other = Made("b", "other", kEarly);
    Snapshot now = TestSnapshot({a, other});
    const auto report = Story(story).Begin(OperationType::kUpdating, b).End(EntryKind::kSuccess, later).Into(&now);
    CHECK(Names(now.resources) == "a b");
    CHECK(now.resources[1]->id == "other");
    CHECK(report.warnings.size() == 2);
  }
  SECTION("the resource was deleted since") {
    Snapshot now = TestSnapshot({TestState("x")});
    Story(story).Begin(OperationType::kUpdating, b).End(EntryKind::kSuccess, later).Into(&now);
    CHECK(Names(now.resources) == "x");
  }
}

TEST_CASE("a migration that keeps the URNs does not undo later changes", "[journal]") {
  const StatePtr part = Made("part", "1", kEarly);
  Snapshot now = TestSnapshot({Made("a", "1", kLate)});
  Story().Lost().Migrate({Made("a", "1", kEarly), part}, {}).Into(&now);
  CHECK(Names(now.resources) == "a part");
  CHECK(now.resources[0]->modified == kLate);
}

TEST_CASE("the newer of two resources with one URN stays, and the other is marked for its delete", "[journal]") {
  SECTION("the other operation made it again") {
    Snapshot now = TestSnapshot({Made("b", "b-2", kLate)});
    const auto story = Story().Begin(OperationType::kCreating, Made("b", "", "")).Lost();
    Story(story).End(EntryKind::kSuccess, Made("b", "b-1", kEarly)).Into(&now);
    REQUIRE(now.resources.size() == 2);
    for (const StatePtr& state : now.resources) CHECK(state->pending_delete == (state->id == "b-1"));
  }
  SECTION("the replacement was made after the state's") {
    Snapshot now = TestSnapshot({Made("b", "b-1", kEarly)});
    Story()
        .Begin(OperationType::kCreating, Made("b", "", ""))
        .Lost()
        .End(EntryKind::kSuccess, Made("b", "b-2", kLate))
        .Into(&now);
    REQUIRE(now.resources.size() == 2);
    for (const StatePtr& state : now.resources) CHECK(state->pending_delete == (state->id == "b-1"));
  }
}

TEST_CASE("the record of a resource that was written last wins", "[journal]") {
  for (const bool journal_is_later : {false, true}) {
    Snapshot now = TestSnapshot({Made("a", "1", journal_is_later ? kEarly : kLate)});
    const auto after = TestState("a", [&](State* state) {
      state->id = "1";
      state->modified = journal_is_later ? kLate : kEarly;
      state->outputs.Set("from", Value("the journal"));
    });
    Story().Begin(OperationType::kUpdating, after).Lost().End(EntryKind::kSuccess, after).Into(&now);
    REQUIRE(now.resources.size() == 1);
    CHECK((now.resources[0]->outputs.Find("from") != nullptr) == journal_is_later);
  }
}

TEST_CASE("a changed resource stays away if the new owner deleted it", "[journal]") {
  const StatePtr b = Made("b", "b-1", kLate);
  const auto play = [&b](bool lost, OperationType type) {
    Snapshot now = TestSnapshot({TestState("a")});
    Story story;
    story.Begin(type, b);
    if (lost) story.Lost();
    story.End(EntryKind::kSuccess, b).Into(&now);
    return Names(now.resources);
  };
  CHECK(play(true, OperationType::kUpdating) == "a");
  CHECK(play(true, OperationType::kCreating) == "a b");
  // Without a fence, the merge cannot tell which entries the state already has.
  CHECK(play(false, OperationType::kUpdating) == "a b");
}

TEST_CASE("a merge removes a deleted resource, unless others need it", "[journal]") {
  for (const bool needed : {false, true}) {
    const StatePtr a = Made("a", "1", kEarly);
    std::vector<StatePtr> resources = {a};
    if (needed) resources.push_back(TestState("b", [](State* s) { s->dependencies.push_back(TestUrn("a")); }));
    Snapshot now = WithPending(TestSnapshot(resources), OperationType::kDeleting, a);
    const auto report = Story().Begin(OperationType::kDeleting, a).Lost().End(EntryKind::kSuccess, nullptr).Into(&now);
    CHECK(Names(now.resources) == (needed ? "a b" : ""));
    CHECK(report.warnings.size() == (needed ? 1 : 0));
    CHECK(now.pending_operations.empty());
  }
}

TEST_CASE("a merge leaves out the entries that the new owner has read", "[journal]") {
  Snapshot now = TestSnapshot({TestState("a")});  // it has deleted b since
  const StatePtr b = Made("b", "b-1", kEarly);
  const auto report = Story()
                          .Begin(OperationType::kCreating, b)
                          .End(EntryKind::kSuccess, b)
                          .Lost()
                          .Begin(OperationType::kCreating, TestState("c"))
                          .Into(&now);
  CHECK(Names(now.resources) == "a");
  CHECK(now.pending_operations.empty());  // c was refused before its provider was asked
  CHECK(report.changes.empty());
}

TEST_CASE("all entries of a journal that was cut off are new, and operations without an end are unknown", "[journal]") {
  Snapshot now = TestSnapshot({TestState("a")});
  const StatePtr b = Made("b", "b-1", kEarly);
  const auto report = Story()
                          .Begin(OperationType::kCreating, b)
                          .End(EntryKind::kSuccess, b)
                          .Begin(OperationType::kCreating, TestState("c"))
                          .Into(&now);
  CHECK(Names(now.resources) == "a b");
  REQUIRE(now.pending_operations.size() == 1);
  CHECK(now.pending_operations[0].resource->urn.name() == "c");
  CHECK(report.warnings.size() == 1);
}

TEST_CASE("a merged resource refers to the provider's ID in the state", "[journal]") {
  const auto provider = [](const std::string& id) {
    auto state = std::make_shared<State>(*testing::TestProvider("p"));
    state->id = id;
    return StatePtr(state);
  };
  Snapshot now = TestSnapshot({provider("theirs")});
  const StatePtr b = TestState("b", [&](State* s) { s->provider = testing::ReferenceTo(provider("ours")); });
  Story()
      .Begin(OperationType::kCreating, provider("ours"))
      .End(EntryKind::kSuccess, provider("ours"))
      .Begin(OperationType::kCreating, b)
      .End(EntryKind::kSuccess, b)
      .Into(&now);
  CHECK(Names(now.resources) == "p b");
  CHECK(now.resources[1]->provider == testing::ReferenceTo(provider("theirs")));
}

TEST_CASE("a deleted provider comes back with the resources that need it, or these stay pending", "[journal]") {
  const StatePtr provider = testing::TestProvider("p");
  const StatePtr b = TestState("b", [&](State* s) { s->provider = testing::ReferenceTo(provider); });
  Snapshot now = TestSnapshot({});
  Story story;
  const bool known = GENERATE(true, false);
  if (known) story.Begin(OperationType::kCreating, provider).End(EntryKind::kSuccess, provider);
  const auto report = story.Begin(OperationType::kCreating, b).Lost().End(EntryKind::kSuccess, b).Into(&now);
  CHECK(Names(now.resources) == (known ? "p b" : ""));
  REQUIRE(now.pending_operations.size() == (known ? 0U : 1U));
  CHECK(report.warnings.size() == (known ? 0U : 1U));
  if (!known) CHECK(now.pending_operations[0].resource->id == b->id);
}

TEST_CASE("a renamed resource is recorded once, and references follow it", "[journal]") {
  auto renamed = std::make_shared<State>(*Made("new", "a-1", kLate));
  renamed->aliases = {TestUrn("a")};
  const StatePtr a = Made("a", "a-1", kEarly);
  const StatePtr b = TestState("b", [](State* s) { s->dependencies.push_back(TestUrn("a")); });
  Snapshot now = TestSnapshot({a, b});
  Story().Begin(OperationType::kUpdating, a).Lost().End(EntryKind::kSuccess, renamed).Into(&now);
  REQUIRE(Names(now.resources) == "new b");
  CHECK(now.resources[1]->dependencies == std::vector<Urn>{TestUrn("new")});
}

TEST_CASE("a merge warns of each reference of a merged resource that the state lacks", "[journal]") {
  Snapshot now = TestSnapshot({});
  const StatePtr b = TestState("b", [](State* s) { s->dependencies.push_back(TestUrn("gone")); });
  const auto report = Story().Begin(OperationType::kCreating, b).Lost().End(EntryKind::kSuccess, b).Into(&now);
  CHECK(Names(now.resources) == "b");
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find(TestUrn("gone").str()) != std::string::npos);
}

}  // namespace kingpost::merge_test
