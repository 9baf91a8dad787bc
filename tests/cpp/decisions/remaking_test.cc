// SPDX-License-Identifier: Apache-2.0
// Checks the marks of pending replacements: deleted, and not created again yet.
#include "decisions/remaking.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::remaking_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a pending replacement of an earlier run and one of this run are treated alike") {
  State marked = StateOf("a");
  marked.pending_replacement = true;
  const StatePtr earlier = Share(marked), now = Share(StateOf("b")), plain = Share(StateOf("c"));
  Rows rows;
  rows.SetBase({earlier, now, plain});
  rows.MarkPendingReplacement(now);
  for (const StatePtr& state : {earlier, now}) {
    CHECK(IsPendingReplacement(state, rows));
    CHECK_FALSE(CanBeAskedAbout(state, rows));
  }
  CHECK_FALSE(IsPendingReplacement(plain, rows));
  CHECK_FALSE(IsPendingReplacement(nullptr, rows));
  CHECK(CanBeAskedAbout(plain, rows));
  CHECK(DeleteOrDrop(plain, true)->op == StepOp::kRemovePendingReplace);
  CHECK(DeleteOrDrop(plain, false)->op == StepOp::kDelete);
}

}  // namespace kingpost::remaking_test
