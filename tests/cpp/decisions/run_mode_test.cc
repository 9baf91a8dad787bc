// SPDX-License-Identifier: Apache-2.0
// Checks refresh and destroy with the program: when recorded resources are read, and how registrations are answered.
#include "decisions/run_mode.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::run_mode_test {

using namespace plan_test;
using namespace decisions;

std::string Names(const std::vector<StatePtr>& states) {
  std::string names;
  for (const StatePtr& state : states) names += std::string(state->urn.name());
  return names;
}

TEST_CASE("the options of a run decide its mode and the time of its refresh") {
  using Kind = OperationKind;
  struct Row {
    Kind kind;
    bool run_program, refresh, refresh_program;
    RunMode mode;
    RefreshTime time;
  };
  static constexpr Row kTable[] = {
      {Kind::kUpdate, true, false, false, RunMode::kUpdate, RefreshTime::kNever},
      {Kind::kUpdate, true, false, true, RunMode::kUpdate, RefreshTime::kNever},
      {Kind::kUpdate, true, true, false, RunMode::kUpdate, RefreshTime::kBeforeProgram},
      {Kind::kUpdate, true, true, true, RunMode::kUpdate, RefreshTime::kAsRegistered},
      {Kind::kRefresh, false, true, false, RunMode::kUpdate, RefreshTime::kBeforeProgram},
      {Kind::kRefresh, false, false, false, RunMode::kUpdate, RefreshTime::kBeforeProgram},
      {Kind::kRefresh, true, true, false, RunMode::kRefresh, RefreshTime::kAsRegistered},
      {Kind::kDestroy, false, false, false, RunMode::kUpdate, RefreshTime::kNever},
      {Kind::kDestroy, false, true, false, RunMode::kUpdate, RefreshTime::kBeforeProgram},
      {Kind::kDestroy, true, true, true, RunMode::kDestroy, RefreshTime::kBeforeProgram},
      {Kind::kImport, true, false, false, RunMode::kUpdate, RefreshTime::kNever},
  };
  for (const Row& row : kTable) {
    OperationOptions options;
    options.kind = row.kind;
    options.run_program = row.run_program;
    options.refresh = row.refresh;
    options.refresh_program = row.refresh_program;
    INFO("row " << &row - kTable);
    CHECK(ModeOf(options) == row.mode);
    CHECK(RefreshTimeOf(options) == row.time);
  }
}

TEST_CASE("a registration refreshes a recorded and selected resource that may still change") {
  Goal goal;
  goal.custom = true;
  goal.type = "pkg:m:Typ";
  const StatePtr recorded = Share(StateOf("a"));
  Rows rows;
  rows.SetBase({recorded, Share(StateOf("b"))});
  const Selection all{SelectionOptions()};
  const auto of = [&](const StatePtr& old_state, RefreshTime time, const Selection& selection) {
    return *RefreshOf(goal, UrnOf("a"), old_state, time, rows, selection);
  };
  CHECK(of(recorded, RefreshTime::kAsRegistered, all) == InlineRefresh::kRead);
  CHECK(of(recorded, RefreshTime::kBeforeProgram, all) == InlineRefresh::kNone);
  CHECK(of(nullptr, RefreshTime::kAsRegistered, all) == InlineRefresh::kNone);
  SelectionOptions others;
  others.targets = {UrnOf("b").str()};
  CHECK(of(recorded, RefreshTime::kAsRegistered, Selection(others)) == InlineRefresh::kNone);
  goal.custom = false;
  CHECK(of(recorded, RefreshTime::kAsRegistered, all) == InlineRefresh::kAnnounced);
  goal.custom = true;
  goal.type = "pulumi:providers:pkg";
  CHECK(of(recorded, RefreshTime::kAsRegistered, all) == InlineRefresh::kAnnounced);
  rows.Keep(UrnOf("a"), Because(Rule::kKeptForDependent));
  CHECK_FALSE(RefreshOf(goal, UrnOf("a"), recorded, RefreshTime::kAsRegistered, rows, all).ok());
}

TEST_CASE("a resource whose delete an earlier run began is read, even without --refresh") {
  Goal goal;
  goal.custom = true;
  goal.type = "pkg:m:Typ";
  Snapshot snapshot;
  snapshot.resources = {Share(StateOf("a"))};
  snapshot.pending_operations = {{snapshot.resources[0], OperationType::kDeleting}};
  Rows rows;
  rows.SetBase(snapshot.resources);
  rows.DoubtDeletes(snapshot);
  const Selection all{SelectionOptions()};
  const auto wanted = RefreshOf(goal, UrnOf("a"), snapshot.resources[0], RefreshTime::kNever, rows, all);
  CHECK(*wanted == InlineRefresh::kRead);
}

TEST_CASE("a refresh during an update takes the program's options, and keeps the fields that decide a replacement") {
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

TEST_CASE("after the program, one state of each name is read that it did not register, and no view") {
  State old_side = StateOf("b"), view = StateOf("v");
  old_side.pending_delete = true;
  view.view_of = UrnOf("a");
  Rows rows;
  rows.SetBase({Share(StateOf("a")), Share(StateOf("b")), Share(StateOf("c")), Share(old_side), Share(view)});
  rows.Decide(UrnOf("a"), RowOutcome::kUnchanged, nullptr);
  CHECK(Names(NotRegistered(rows, Selection(SelectionOptions()))) == "bc");
}

TEST_CASE("a registration gets a same, the recorded outputs, or a skip in a destroy or refresh that runs the program") {
  enum Kind { kCustom, kComponent, kProvider };
  const auto answer = [](RunMode mode, Kind kind, bool recorded, bool on_skipped) -> std::string {
    Rows rows;
    rows.SkipCreate(UrnOf("skipped"));
    Goal goal;
    goal.custom = kind != kComponent;
    goal.type = kind == kProvider ? "pulumi:providers:pkg" : "pkg:m:Typ";
    State draft = StateOf("r");
    if (on_skipped) draft.dependencies = {UrnOf("skipped")};
    const auto decision = ChooseByMode(mode, goal, recorded ? Share(StateOf("r")) : nullptr, draft, rows);
    if (!decision) return "goes on";
    if (decision->is<way::AnswerRecorded>()) return "answer";
    return decision->is<way::SkipCreate>() ? "skip" : "same";
  };
  for (Kind kind : {kCustom, kComponent, kProvider}) {
    for (bool recorded : {false, true}) {
      for (bool on_skipped : {false, true}) {
        CHECK(answer(RunMode::kUpdate, kind, recorded, on_skipped) == "goes on");
        const bool plain = kind == kCustom;
        const std::string refresh = !plain && !on_skipped ? "goes on" : recorded ? "answer" : "skip";
        CHECK(answer(RunMode::kRefresh, kind, recorded, on_skipped) == refresh);
        const std::string destroy = on_skipped || (plain && !recorded) ? "skip" : plain ? "same" : "goes on";
        CHECK(answer(RunMode::kDestroy, kind, recorded, on_skipped) == destroy);
      }
    }
  }
}

TEST_CASE("a destroy with a program deletes unchanged and undecided resources at its end, and no skipped ones") {
  const Decision skip = {way::SkipCreate(), nullptr}, stay = {way::Same(), nullptr},
                 answer = {way::AnswerRecorded(), nullptr};
  CHECK(IsDeletedAtEnd(RunMode::kDestroy, std::nullopt));
  CHECK(IsDeletedAtEnd(RunMode::kDestroy, stay));
  CHECK_FALSE(IsDeletedAtEnd(RunMode::kDestroy, skip));
  CHECK_FALSE(IsDeletedAtEnd(RunMode::kRefresh, answer));
  CHECK_FALSE(IsDeletedAtEnd(RunMode::kUpdate, std::nullopt));
  CHECK(IsFinalDecision(RunMode::kDestroy, stay));
  CHECK_FALSE(IsFinalDecision(RunMode::kDestroy, skip));
  CHECK(IsFinalDecision(RunMode::kRefresh, skip));
}

TEST_CASE("a destroy answers a kept resource with its recorded inputs, and a skipped one with its recorded outputs") {
  State recorded = StateOf("a");
  recorded.inputs = {{"x", 1}};
  recorded.outputs = {{"y", 1}};
  recorded.pending_replacement = true;
  const StatePtr old_state = Share(recorded);
  Rows rows;
  State draft = StateOf("a");
  ShapeByMode({way::SkipCreate(), nullptr}, nullptr, rows, &draft);
  CHECK(draft.outputs.empty());
  ShapeByMode({way::SkipCreate(), nullptr}, old_state, rows, &draft);
  CHECK(draft.outputs.Has("y"));
  CHECK_FALSE(draft.inputs.Has("x"));
  State kept = StateOf("a");
  ShapeByMode({way::Same(), nullptr}, old_state, rows, &kept);
  CHECK(kept.inputs.Has("x"));
  CHECK(kept.pending_replacement);
  CHECK(kept.outputs.empty());
  State found = StateOf("a");
  found.modified = "then";
  found.refresh_before_update = true;
  CarryRefreshedFields(found, &kept);
  CHECK(kept.modified == "then");
  CHECK(kept.refresh_before_update);
}

}  // namespace kingpost::run_mode_test
