// SPDX-License-Identifier: Apache-2.0
// Checks what a refresh reads, what it records of the answers, and which values stay secret.
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

TEST_CASE("a refresh drops a missing resource and every reference to it") {
  const std::vector<StatePtr> base = Chain();
  auto renewed = std::make_shared<State>(*base[1]);
  renewed->outputs = {{"x", 1}};
  const auto after = BaseAfterRefresh(base, {{base[0].get(), nullptr}, {base[1].get(), renewed}});
  REQUIRE(Names(after) == "bc");
  CHECK(after[0]->dependencies.empty());
  CHECK(after[0]->outputs.Has("x"));
}

TEST_CASE("a refreshed output stays secret, unless only additionalSecretOutputs made it one") {
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
}

TEST_CASE("the first refresh reads all resources, the flagged ones, or none") {
  State flagged = StateOf("f"), old_side = StateOf("o");
  flagged.refresh_before_update = old_side.refresh_before_update = true;
  old_side.pending_delete = true;
  Rows with, without;
  with.SetBase({Share(flagged), Share(StateOf("a"))});
  without.SetBase({Share(old_side), Share(StateOf("a"))});
  const auto first = [](OperationKind kind, bool refresh, bool inline_too, const Rows& rows) {
    OperationOptions options;
    options.kind = kind;
    options.refresh = refresh;
    options.refresh_program = inline_too;
    return FirstRefreshOf(options, rows);
  };
  using Kind = OperationKind;
  for (const bool inline_too : {false, true}) {
    CHECK(first(Kind::kUpdate, false, inline_too, with) == FirstRefresh::kFlagged);
    CHECK(first(Kind::kUpdate, false, inline_too, without) == FirstRefresh::kNothing);
    CHECK(first(Kind::kUpdate, true, inline_too, with) == (inline_too ? FirstRefresh::kNothing : FirstRefresh::kAll));
    CHECK(first(Kind::kDestroy, true, inline_too, with) == FirstRefresh::kAll);
  }
}

TEST_CASE("a refresh reads only resources that their provider can read") {
  Rows rows;
  const auto is_read = [&rows](auto change) {
    State state = StateOf("a");
    change(&state);
    return IsReadByProvider(*Refresh(Share(std::move(state))), rows);
  };
  CHECK(is_read([](State*) {}));
  CHECK(is_read([](State* state) { state->external = true; }));
  CHECK_FALSE(is_read([](State* state) { state->custom = false; }));
  CHECK_FALSE(is_read([](State* state) { state->type = "pulumi:providers:pkg"; }));
  CHECK_FALSE(is_read([](State* state) { state->pending_replacement = true; }));
  const StepPtr announced = Refresh(Share(StateOf("a")));
  announced->refresh = RefreshKind::kAnnounced;
  CHECK_FALSE(IsReadByProvider(*announced, rows));
}

TEST_CASE("a resource that was not read shows a same, or an update if the program has not compared it") {
  const auto result = [](RefreshKind kind, bool external, bool legacy) {
    State state = StateOf("a");
    state.external = external;
    const StepPtr step = Refresh(Share(std::move(state)));
    step->refresh = kind;
    return ResultUnread(*step, legacy);
  };
  for (const RefreshKind kind : {RefreshKind::kStandalone, RefreshKind::kInProgram, RefreshKind::kAnnounced}) {
    const StepOp plain = kind == RefreshKind::kStandalone ? StepOp::kSame : StepOp::kUpdate;
    CHECK(result(kind, false, false) == plain);
    CHECK(result(kind, true, false) == StepOp::kSame);
    CHECK(result(kind, false, true) == StepOp::kSame);
  }
}

TEST_CASE("a read without an ID or without outputs means that the resource is gone") {
  ReadResponse read;
  CHECK(IsGone(read));
  read.id = "x";
  CHECK(IsGone(read));
  read.outputs = PropertyMap();
  CHECK_FALSE(IsGone(read));
  read.id.clear();
  CHECK(IsGone(read));
}

TEST_CASE("an external resource is compared by its outputs; for any other the provider's diff is shown, inverted") {
  State recorded = StateOf("a"), next = StateOf("a");
  next.inputs = {{"size", 2}};
  CHECK_FALSE(ComparedByOutputs(next, recorded, /*legacy_diff=*/false));
  CHECK(ComparedByOutputs(next, recorded, /*legacy_diff=*/true) == StepOp::kSame);
  recorded.external = true;
  CHECK(ComparedByOutputs(next, recorded, false) == StepOp::kSame);
  next.outputs = {{"size", 2}};
  CHECK(ComparedByOutputs(next, recorded, false) == StepOp::kUpdate);

  const StepPtr step = Refresh(Share(StateOf("a")));
  DiffResponse answer;
  answer.changes = DiffChanges::kSome;
  answer.changed_keys = {"size"};
  answer.has_detailed = true;
  answer.detailed = {{"size", {DiffKind::kAdd, false}}};
  ShowRefreshed(answer, step.get());
  CHECK(step->refresh_result == StepOp::kUpdate);
  CHECK(step->diffs == std::vector<std::string>{"size"});
  CHECK(step->detailed->at("size").kind == DiffKind::kDelete);
  ShowRefreshed(DiffResponse(), step.get());
  CHECK(step->refresh_result == StepOp::kSame);
}

}  // namespace kingpost::refresh_rules_test
