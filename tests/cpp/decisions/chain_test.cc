// SPDX-License-Identifier: Apache-2.0
// Checks the chain of each decision: its steps in order, what they do to the old side, and that all give the reason.
#include "decisions/chain.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::chain_test {

using namespace plan_test;
using namespace decisions;

std::string Text(const Chain& chain) {
  static const char* const kSides[] = {"", " (waits for delete)", " (awaits remaking)"};
  std::string text;
  for (const StepPtr& step : chain) {
    text += (text.empty() ? "" : ", ") + std::string(StepOpName(step->op)) + " " + std::string(step->urn().name()) +
            kSides[static_cast<int>(step->old_side)];
  }
  return text;
}

struct Fixture {
  Fixture() : old_state(Share(StateOf("r"))), draft(std::make_shared<State>(StateOf("r"))) {
    rows.SetBase({old_state, Share(StateOf("d")), Share(StateOf("e"))});
  }
  Chain Of(Way way, const std::vector<Condemned>* first = nullptr) {
    because = Because(Rule::kForced, {"x"});
    const ChainParts parts{old_state, draft, goal, first};
    return ChainFor(Decision{std::move(way), because}, parts, rows);
  }

  Rows rows;
  StatePtr old_state;
  Draft draft;
  Goal goal;
  ReasonPtr because;
};

TEST_CASE("each decision becomes its steps, and these give its reason") {
  Fixture f;
  const std::pair<Way, std::string> kCases[] = {
      {way::Same(), "same r"},
      {way::Create(), "create r"},
      {way::SkipCreate(), "same r"},
      {way::Update(), "update r"},
      {way::Replace(), "create-replacement r (waits for delete), replace r"},
      {way::TakeOver(), "create-replacement r (waits for delete), replace r"},
      {way::Read(), "read r"},
      {way::ReadReplacement(), "read-replacement r (waits for delete), replace r"},
      {way::Import(), "import r"},
      {way::ImportReplacement(), "import-replacement r (waits for delete), replace r"},
      {way::Keep(), ""},
      {way::AnswerRecorded(), ""},
      {way::Refuse(), ""},
  };
  for (const auto& [way, expected] : kCases) {
    const Chain chain = f.Of(way);
    CHECK(Text(chain) == expected);
    for (const StepPtr& step : chain) CHECK(step->because == f.because);
  }
}

TEST_CASE("a resource deleted by an earlier run is created again without a delete; a takeover waits for its delete") {
  Fixture f;
  State waiting = StateOf("r");
  waiting.pending_replacement = true;
  f.old_state = Share(std::move(waiting));
  f.rows.SetBase({f.old_state});
  CHECK(Text(f.Of(way::Replace())) == "replace r, create-replacement r");
  CHECK(Text(f.Of(way::TakeOver())) == "create-replacement r (waits for delete), replace r");
  CHECK(Text(f.Of(way::ReadReplacement())) == "read-replacement r (waits for delete), replace r");
  CHECK(Text(f.Of(way::ImportReplacement())) == "import-replacement r (waits for delete), replace r");
}

TEST_CASE("dependents are deleted last to first, before the old resource; those already condemned are left out") {
  Fixture f;
  const std::vector<Condemned> first = {
      {f.rows.base()[1], {}, Because(Rule::kLinkedToReplaced, {}, f.old_state->urn, Because(Rule::kForced))},
      {f.rows.base()[2], {}, nullptr}};
  way::Replace replace;
  replace.delete_first = true;
  const std::string own = "delete-replaced r (awaits remaking), replace r, create-replacement r";
  const Chain chain = f.Of(replace, &first);
  CHECK(Text(chain) == "delete-replaced e (awaits remaking), delete-replaced d (awaits remaking), " + own);
  CHECK(chain[1]->because->rule == Rule::kLinkedToReplaced);
  f.rows.MarkDeletedFirst(first[1].state, {}, nullptr);
  CHECK(Text(f.Of(replace, &first)) == "delete-replaced d (awaits remaking), " + own);
  f.rows.MarkPendingDelete(first[0].state);
  CHECK(Text(f.Of(replace, &first)) == "delete d, " + own);
  f.rows.MarkPendingReplacement(f.old_state);
  CHECK(Text(f.Of(replace, &first)) == "delete d, replace r, create-replacement r");
}

TEST_CASE("a recreated resource carries the keys that condemned it") {
  Fixture f;
  f.rows.MarkDeletedFirst(f.old_state, {"host"}, nullptr);
  const Chain chain = f.Of(way::Recreate());
  CHECK(Text(chain) == "replace r, create-replacement r");
  CHECK(chain[1]->keys == std::vector<std::string>{"host"});
}

TEST_CASE("steps have the provider's diff, and an update has no keys of a replacement") {
  Fixture f;
  f.goal.ignore_changes = {"z"};
  DiffResponse diff;
  diff.replaces = {"x"};
  diff.changed_keys = {"x", "y"};
  diff.detailed = {{"x", {DiffKind::kUpdateReplace, true}}};
  diff.has_detailed = true;
  const Chain replace = f.Of(way::Replace{diff, false});
  for (const StepPtr& step : replace) {
    CHECK(step->keys == diff.replaces);
    CHECK(step->diffs == diff.changed_keys);
    CHECK(step->detailed->count("x") == 1);
    CHECK(step->ignore_changes == f.goal.ignore_changes);
  }
  const Chain update = f.Of(way::Update{diff});
  CHECK(update[0]->keys.empty());
  CHECK(update[0]->diffs == diff.changed_keys);
}

}  // namespace kingpost::chain_test
