// SPDX-License-Identifier: Apache-2.0
// Views: what providers publish, and what is assumed of them.
#include "decisions/view_rules.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::view_rules_test {

using namespace plan_test;
using namespace decisions;

struct Stage {
  Stage() {
    State view = StateOf("v"), other = StateOf("w");
    view.view_of = UrnOf("owner");
    other.view_of = UrnOf("somebody-else");
    recorded = Share(view);
    rows.SetBase({recorded, Share(other)});
  }
  Result<ViewOutcome> Make(const ViewStep& view, bool refresh = false, bool in_program = false) const {
    const auto make_urn = [](const std::string& type, const std::string& name) { return UrnOf(name, type); };
    return MakeViewStep({UrnOf("owner"), refresh, in_program}, view, rows, make_urn);
  }
  static std::shared_ptr<const State> Published(const std::string& name) {
    State state;
    state.urn = Urn(name);
    state.type = "pkg:m:Typ";
    state.inputs = {{"x", 1}};
    state.outputs = {{"y", 1}};
    return Share(std::move(state));
  }
  static ViewStep Step(const std::string& op, std::shared_ptr<const State> before, std::shared_ptr<const State> after) {
    ViewStep view;
    view.op = op;
    view.old_state = std::move(before);
    view.new_state = std::move(after);
    return view;
  }
  StatePtr recorded;
  Rows rows;
};

TEST_CASE("a published step takes the recorded view, and its new state is below the owner") {
  const Stage stage;
  const auto made = stage.Make(Stage::Step("update", Stage::Published("v"), Stage::Published("v")));
  REQUIRE(made.ok());
  CHECK(made->failure.ok());
  CHECK(made->step->op == StepOp::kUpdate);
  CHECK(made->step->old_state == stage.recorded);
  CHECK(made->step->new_state->urn == UrnOf("v"));
  CHECK(made->step->new_state->view_of == UrnOf("owner"));
  CHECK(made->step->new_state->parent == UrnOf("owner"));
  CHECK(made->step->new_state->inputs.Has("x"));
  CHECK(made->step->new_state->outputs.Has("y"));
  CHECK_FALSE(made->step->new_state->custom);
}

TEST_CASE("steps that make no sense are refused") {
  const Stage stage;
  CHECK(stage.Make(Stage::Step("dance", nullptr, Stage::Published("n"))).status().message().find("\"dance\"") !=
        std::string::npos);
  CHECK_FALSE(stage.Make(Stage::Step("create", nullptr, nullptr)).ok());
  CHECK_FALSE(stage.Make(Stage::Step("delete", Stage::Published("unrecorded"), nullptr)).ok());
  CHECK_FALSE(stage.Make(Stage::Step("delete", Stage::Published("w"), nullptr)).ok());
}

TEST_CASE("views of a read resource are refreshed, whatever step the provider names") {
  const Stage stage;
  const ViewStep view = Stage::Step("create-replacement", nullptr, Stage::Published("n"));
  const auto plain = stage.Make(view);
  CHECK(plain->step->op == StepOp::kCreateReplacement);
  CHECK(plain->step->replacing);
  const auto of_record = stage.Make(view, /*refresh=*/true);
  CHECK(of_record->step->op == StepOp::kRefresh);
  CHECK(of_record->step->refresh_result == StepOp::kCreateReplacement);
  CHECK(of_record->step->refresh == RefreshKind::kStandalone);
  CHECK(stage.Make(view, true, /*in_program=*/true)->step->refresh == RefreshKind::kInProgram);
  CHECK_FALSE(stage.Make(Stage::Step("create", nullptr, Stage::Published("n")))->step->replacing);
}

TEST_CASE("a step fails where the provider says so, and may have happened in part") {
  const Stage stage;
  ViewStep view = Stage::Step("create", nullptr, Stage::Published("n"));
  view.error = "no";
  CHECK(stage.Make(view)->failure.message() == "no");
  CHECK_FALSE(stage.Make(view)->partial);
  view.error.clear();
  view.outcome = ViewStep::Outcome::kPartialFailure;
  CHECK(stage.Make(view)->failure.message() == "the view's operation failed");
  CHECK(stage.Make(view)->partial);
  view.outcome = ViewStep::Outcome::kUnknown;
  CHECK_FALSE(stage.Make(view)->failure.ok());
  CHECK_FALSE(stage.Make(view)->partial);
}

TEST_CASE("an owner's recorded views go with it, or stay with it") {
  const Stage stage;
  const auto deletes = AssumedViewDeletes(UrnOf("owner"), stage.rows);
  REQUIRE(deletes.size() == 1);
  CHECK(deletes[0]->op == StepOp::kDelete);
  const auto sames = SameStepsOfViews(UrnOf("owner"), stage.rows);
  REQUIRE(sames.size() == 1);
  CHECK(sames[0]->op == StepOp::kSame);
  CHECK(sames[0]->new_state->urn == UrnOf("v"));
  CHECK(ReportsViewsBeforeEnd(*deletes[0]));
  CHECK_FALSE(ReportsViewsBeforeEnd(*sames[0]));
}

}  // namespace kingpost::view_rules_test
