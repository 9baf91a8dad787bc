// SPDX-License-Identifier: Apache-2.0
// Checks which other resources a choice of steps waits for.
#include "decisions/turn_rules.h"

#include <catch2/catch.hpp>
#include <set>

#include "decisions/make_state.h"

namespace kingpost::turn_rules_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a condemned resource waits for its delete, and an excluded one for the choices it depends on") {
  using For = ChoiceBlocker::For;
  State b = StateOf("b"), c = StateOf("c");
  b.dependencies = {UrnOf("a")};
  b.provider = UrnOf("p", "pulumi:providers:pkg").str() + "::id";
  c.parent = UrnOf("b");
  const StatePtr last = Share(c);
  Rows rows;
  rows.SetBase({Share(StateOf("a")), Share(b), last});
  std::set<Urn> undecided;
  const auto waits = [&](const StatePtr& state, bool takes_part) {
    return FindChoiceBlocker(state, takes_part, rows, [&](const Urn& urn) { return undecided.count(urn) > 0; });
  };
  CHECK(waits(nullptr, false).what == For::kNobody);
  CHECK(waits(last, false).what == For::kNobody);
  undecided = {UrnOf("a"), UrnOf("c"), UrnOf("elsewhere")};
  CHECK(waits(last, false).what == For::kAnotherChoice);
  CHECK(waits(last, false).other == UrnOf("a"));
  CHECK(waits(last, /*takes_part=*/true).what == For::kNobody);
  undecided = {UrnOf("p", "pulumi:providers:pkg")};
  CHECK(waits(last, false).other == UrnOf("p", "pulumi:providers:pkg"));
  rows.Decide(UrnOf("b"), RowOutcome::kUnchanged, Because(Rule::kInputsEqual));  // and so below it everything is
  CHECK(waits(last, false).what == For::kNobody);
  rows.MarkDeletedFirst(last, {}, Because(Rule::kProviderCondemned));
  CHECK(waits(last, true).what == For::kOwnDelete);
}

}  // namespace kingpost::turn_rules_test
