// SPDX-License-Identifier: Apache-2.0
// Checks which hooks run around a step, and what their failures mean.
#include "decisions/hook_rules.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::hook_rules_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("hooks run around creates, updates and deletes; those of components wait for their outputs") {
  struct Row {
    StepPtr step;
    std::optional<HookKind> before, after, at_outputs;
  };
  const auto draft = [](bool custom) {
    auto state = std::make_shared<State>(StateOf("a"));
    state->custom = custom;
    return state;
  };
  const StatePtr old_state = Share(StateOf("a"));
  State read = StateOf("a");
  read.external = true;
  using Kind = HookKind;
  const Row table[] = {
      {Create(draft(true)), Kind::kBeforeCreate, Kind::kAfterCreate, {}},
      {Create(draft(false)), Kind::kBeforeCreate, {}, Kind::kAfterCreate},
      {CreateReplacement(old_state, draft(true), AfterStep::kSuperseded), Kind::kBeforeCreate, Kind::kAfterCreate, {}},
      {CreateReplacement(old_state, draft(false), AfterStep::kSuperseded), Kind::kBeforeCreate, {}, {}},
      {Update(old_state, draft(true)), Kind::kBeforeUpdate, Kind::kAfterUpdate, {}},
      {Update(old_state, draft(false)), Kind::kBeforeUpdate, {}, Kind::kAfterUpdate},
      {Delete(old_state), Kind::kBeforeDelete, Kind::kAfterDelete, {}},
      {Delete(Share(read)), Kind::kBeforeDelete, Kind::kAfterDelete, {}},
      {DeleteReplaced(old_state, AfterStep::kSuperseded), Kind::kBeforeDelete, Kind::kAfterDelete, {}},
      {DeleteReplaced(Share(read), AfterStep::kSuperseded), Kind::kBeforeDelete, Kind::kAfterDelete, {}},
      {Same(old_state, draft(true)), {}, {}, {}},
      {Same(old_state, draft(false)), {}, {}, {}},
      {Read(old_state, draft(true)), {}, {}, {}},
      {Refresh(old_state), {}, {}, {}},
      {RemovePendingReplace(old_state), {}, {}, {}},
  };
  for (const Row& row : table) {
    INFO(StepOpName(row.step->op) << ", row " << &row - table);
    CHECK(HookBefore(row.step->op) == row.before);
    CHECK(HookAfter(*row.step) == row.after);
    CHECK(HookAtOutputs(*row.step) == row.at_outputs);
  }
}

TEST_CASE("a failure warns where the hook says so, and names the hook") {
  HookOptions hook;
  CHECK_FALSE(FailureOf(HookKind::kBeforeUpdate, "h", hook, "no").only_warns);
  CHECK(FailureOf(HookKind::kBeforeUpdate, "h", hook, "no").text == "before hook \"h\" failed: no");
  CHECK(FailureOf(HookKind::kBeforeCreate, "h", hook, "no").text == "before hook \"h\" failed: no");
  CHECK(FailureOf(HookKind::kBeforeDelete, "h", hook, "no").text == "before hook \"h\" failed: no");
  CHECK(FailureOf(HookKind::kAfterDelete, "h", hook, "no").text == "after hook \"h\" failed: no");
  hook.ignore_errors = true;
  CHECK(FailureOf(HookKind::kAfterDelete, "h", hook, "no").only_warns);
  CHECK(FailureOf(HookKind::kAfterDelete, "h", hook, "no").text == "AfterDelete hook \"h\" failed: no");
  CHECK_FALSE(RunsInPreviews(hook));
  hook.on_dry_run = true;
  CHECK(RunsInPreviews(hook));
}

TEST_CASE("a hook for errors is not used for steps, nor the other way round") {
  HookOptions of_step, of_errors;
  of_errors.on_error = true;
  CHECK(IsOfKind(&of_step, false));
  CHECK_FALSE(IsOfKind(&of_step, true));
  CHECK(IsOfKind(&of_errors, true));
  CHECK_FALSE(IsOfKind(&of_errors, false));
  CHECK_FALSE(IsOfKind(nullptr, true));
  CHECK_FALSE(IsOfKind(nullptr, false));
}

TEST_CASE("a failed step is tried again if it has an error hook, had no effect, and has tries left") {
  State plain = StateOf("a"), hooked = StateOf("a");
  hooked.hooks.of(HookKind::kOnError) = {"h"};
  CHECK(MayRetry(hooked, false));
  CHECK_FALSE(MayRetry(hooked, /*may_have_happened=*/true));
  CHECK_FALSE(MayRetry(plain, false));
  CHECK_FALSE(IsRetryLimitReached(kErrorHookTriesMax - 1));
  CHECK(IsRetryLimitReached(kErrorHookTriesMax));
}

TEST_CASE("delete hooks of the record are named, and no others") {
  State one = StateOf("a"), other = StateOf("b");
  one.hooks.of(HookKind::kBeforeDelete) = {"x", "y"};
  one.hooks.of(HookKind::kAfterDelete) = {"z"};
  other.hooks.of(HookKind::kBeforeUpdate) = {"x"};
  const auto found = DeleteHooksOf({Share(one), Share(other), Share(StateOf("c"))});
  REQUIRE(found.size() == 1);
  CHECK(found[0].urn == UrnOf("a"));
  CHECK(found[0].names == "x, y, z");
}

}  // namespace kingpost::hook_rules_test
