// SPDX-License-Identifier: Apache-2.0
// What a refresh reads, what it makes of what it found, and what stays secret.
#include "decisions/refresh_rules.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::refresh_rules_test {

using namespace plan_test;
using namespace decisions;

std::string Names(const std::vector<StatePtr>& states) {
  std::string names;
  for (const StatePtr& state : states) names += std::string(state->urn.name());
  return names;
}

std::vector<StatePtr> Chain() {  // c depends on b, b on a
  State b = StateOf("b"), c = StateOf("c");
  b.dependencies = {UrnOf("a")};
  b.refresh_before_update = true;
  c.parent = UrnOf("b");
  return {Share(StateOf("a")), Share(b), Share(c)};
}

TEST_CASE("targets and excludes of a refresh grow along the record") {
  Rows rows;
  rows.SetBase(Chain());
  const auto read = [&](std::vector<std::string> targets, std::vector<std::string> excludes, bool dependents) {
    SelectionOptions options;
    options.targets = std::move(targets);
    options.excludes = std::move(excludes);
    options.target_dependents = options.exclude_dependents = dependents;
    return Names(ToRefresh(rows, Selection(options), false));
  };
  const std::string a = UrnOf("a").str(), b = UrnOf("b").str();
  CHECK(read({}, {}, false) == "abc");
  CHECK(read({b}, {}, false) == "b");
  CHECK(read({b}, {}, true) == "bc");
  CHECK(read({}, {b}, false) == "ac");
  CHECK(read({}, {b}, true) == "a");
  CHECK(read({a}, {b}, false) == "a");
  CHECK(Names(ToRefresh(rows, Selection(SelectionOptions()), true)) == "b");
}

TEST_CASE("after the program, one state of each name is read that it did not register, and no view") {
  State old_side = StateOf("b"), view = StateOf("v");
  old_side.pending_delete = true;
  view.view_of = UrnOf("a");
  std::vector<StatePtr> base = Chain();
  base.push_back(Share(old_side));
  base.push_back(Share(view));
  Rows rows;
  rows.SetBase(base);
  rows.Decide(UrnOf("a"), RowOutcome::kUnchanged, nullptr);
  CHECK(Names(NotRegistered(rows, Selection(SelectionOptions()))) == "bc");
}

TEST_CASE("what is gone is dropped, with every reference to it") {
  const std::vector<StatePtr> base = Chain();
  auto renewed = std::make_shared<State>(*base[1]);
  renewed->outputs = {{"x", 1}};
  const auto after = BaseAfterRefresh(base, {{base[0].get(), nullptr}, {base[1].get(), renewed}});
  REQUIRE(Names(after) == "bc");
  CHECK(after[0]->dependencies.empty());
  CHECK(after[0]->outputs.Has("x"));
}

TEST_CASE("a refresh with the program records what it says, but not what a replacement is decided by") {
  State old_state = StateOf("old"), draft = StateOf("new");
  old_state.provider = "p::1";
  old_state.taint = true;
  old_state.replacement_trigger = Value(1);
  old_state.inputs = {{"x", 1}};
  draft.provider = "p::2";
  draft.inputs = {{"x", 2}};
  draft.ignore_changes = {"x"};
  const State update = RefreshedAsRegistered(old_state, draft, RunMode::kUpdate, false);
  CHECK(update.urn == draft.urn);
  CHECK(update.ignore_changes == draft.ignore_changes);
  CHECK(DeepEqual(update.inputs, old_state.inputs));
  CHECK(update.id == old_state.id);
  CHECK(update.provider == "p::1");
  CHECK(update.taint);
  CHECK(DeepEqual(update.replacement_trigger, Value(1)));
  const State refresh = RefreshedAsRegistered(old_state, draft, RunMode::kRefresh, false);
  CHECK(refresh.provider == "p::2");
  CHECK_FALSE(refresh.taint);
  const State unread = RefreshedAsRegistered(old_state, draft, RunMode::kUpdate, true);
  CHECK(unread.urn == draft.urn);
  CHECK(unread.ignore_changes.empty());
}

TEST_CASE("outputs are sealed by name and by secret inputs; the ID is not") {
  State state = StateOf("a");
  state.additional_secret_outputs = {"token", "id", "absent"};
  state.inputs = {{"key", Value::Secret(Value("k"))}, {"open", "o"}};
  state.outputs = {{"token", "t"}, {"key", "k"}, {"open", "o"}, {"id", "1"}};
  SealOutputs(&state);
  CHECK(state.outputs.Find("token")->is_secret());
  CHECK(state.outputs.Find("key")->is_secret());
  CHECK_FALSE(state.outputs.Find("open")->is_secret());
  CHECK_FALSE(state.outputs.Find("id")->is_secret());
  CHECK_FALSE(state.outputs.Has("absent"));
}

TEST_CASE("what was secret stays so when it is read, but for what is one by its option alone") {
  State recorded = StateOf("a");
  recorded.outputs = {{"made", Value::Secret(Value("m"))}, {"named", Value::Secret(Value("n"))}};
  recorded.additional_secret_outputs = {"named"};
  State next = recorded;
  next.additional_secret_outputs = {};
  ReadResponse read;
  read.id = "found";
  read.refresh_before_update = true;
  read.outputs = PropertyMap({{"made", "m"}, {"named", "n"}});
  TakeFound(read, recorded, &next);
  CHECK(next.id == "found");
  CHECK(next.refresh_before_update);
  CHECK(next.outputs.Find("made")->is_secret());
  CHECK_FALSE(next.outputs.Find("named")->is_secret());
  next.inputs = {{"made", "m"}};
  CHECK_FALSE(KnownSecrets(recorded, next).Has("made"));
}

TEST_CASE("an import takes what was read, fills gaps with what was supplied, and keeps its secrets") {
  const PropertyMap merged = MergeSupplied({{"a", 1}, {"b", Value()}, {"c", 3}},
                                           {{"a", 2}, {"b", 2}, {"c", Value::Secret(Value(9))}, {"d", 4}});
  CHECK(DeepEqual(*merged.Find("a"), Value(1)));
  CHECK(DeepEqual(*merged.Find("b"), Value(2)));
  CHECK(DeepEqual(*merged.Find("c"), Value::Secret(Value(3))));
  CHECK(DeepEqual(*merged.Find("d"), Value(4)));
  State imported = StateOf("a");
  imported.created = "now";
  imported.aliases = {UrnOf("b")};
  const StatePtr found = FoundByImport(imported);
  CHECK(found->created.empty());
  CHECK(found->aliases.empty());
  CHECK(found->id == imported.id);
}

}  // namespace kingpost::refresh_rules_test
