// SPDX-License-Identifier: Apache-2.0
// Checks which resources the end of a run deletes, on every small graph, with targets, excludes and what the program
// registered (rows 4.5 to 4.7, 6.8, 6.9). The oracle computes the sets by their definitions.
#include <catch2/catch.hpp>
#include <set>

#include "decisions/delete_choice.h"
#include "decisions/deletes.h"
#include "decisions/make_state.h"
#include "support/small_graphs.h"

namespace kingpost::delete_choice_oracle_test {

using namespace plan_test;
using testing::Edge;
using testing::SmallGraph;

std::string NameOf(int i) { return std::string(1, static_cast<char>('a' + i)); }

std::vector<StatePtr> StatesOf(const SmallGraph& graph) {
  std::vector<StatePtr> states;
  for (int i = 0; i < graph.size; ++i) {
    State state = StateOf(NameOf(i));
    for (int j = 0; j < i; ++j) {
      if (graph.edge[i][j] == Edge::kParent) state.parent = states[j]->urn;
      if (graph.edge[i][j] == Edge::kDependency) state.dependencies.push_back(states[j]->urn);
      if (graph.edge[i][j] == Edge::kDeletedWith) state.deleted_with = states[j]->urn;
    }
    states.push_back(Share(std::move(state)));
  }
  return states;
}

// Returns the nodes that can be reached from `start` along the edges, or against them.
std::set<int> Reached(const SmallGraph& graph, int start, bool against) {
  std::set<int> all = {start};
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < graph.size; ++i) {
      for (int j = 0; j < i; ++j) {
        if (!graph.Names(i, j)) continue;
        if (against && all.count(j) > 0) grown = all.insert(i).second || grown;
        if (!against && all.count(i) > 0) grown = all.insert(j).second || grown;
      }
    }
  }
  return all;
}

enum class Restricted { kNo, kTargets, kExcludes };

std::string Names(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name;
  return text;
}

TEST_CASE("unregistered resources go, except those that targets and excludes keep, in all small graphs") {
  int cases = 0;
  testing::ForEachGraph(4, {Edge::kParent, Edge::kDependency, Edge::kDeletedWith}, [&](const SmallGraph& graph) {
    if (!graph.IsPossible()) return;
    const std::vector<StatePtr> states = StatesOf(graph);
    for (int registered = 0; registered < 1 << graph.size; registered += 3) {
      for (int named = 0; named < graph.size; ++named) {
        for (Restricted restricted : {Restricted::kNo, Restricted::kTargets, Restricted::kExcludes}) {
          decisions::SelectionOptions options;
          if (restricted == Restricted::kTargets) options.targets = {states[named]->urn.str()};
          if (restricted == Restricted::kExcludes) options.excludes = {states[named]->urn.str()};
          const decisions::Selection selection(options);
          decisions::Rows rows;
          rows.SetBase(states);
          std::set<std::string> going, kept;
          const std::set<int> targeted = Reached(graph, named, true), excluded = Reached(graph, named, false);
          for (int i = 0; i < graph.size; ++i) {
            if ((registered >> i & 1) != 0) {
              rows.Decide(states[i]->urn, decisions::RowOutcome::kUnchanged, nullptr);
              continue;
            }
            const bool may_go = restricted == Restricted::kNo ||
                                (restricted == Restricted::kTargets ? targeted.count(i) > 0 : excluded.count(i) == 0);
            (may_go ? going : kept).insert(NameOf(i));
          }
          decisions::DeleteChoice choice(rows, selection, /*destroys=*/false, /*exclude_protected=*/false);
          const decisions::Deletes deletes = choice.Choose();
          std::set<std::string> goes, stays;
          for (const decisions::DeleteStep& one : deletes.going) goes.insert(std::string(one.step->urn().name()));
          for (const decisions::StepPtr& step : deletes.kept) stays.insert(std::string(step->urn().name()));
          ++cases;
          if (goes == going && stays == kept) continue;
          FAIL(graph.Text() << ", registered " << registered << ", named " << NameOf(named) << ", "
                            << static_cast<int>(restricted) << ": " << Names(goes) << " go, " << Names(stays)
                            << " stay; " << Names(going) << " should go");
        }
      }
    }
  });
  CHECK(cases > 50000);
}

decisions::Deletes Chosen(const decisions::Rows& rows, bool exclude_protected = false) {
  return decisions::DeleteChoice(rows, decisions::Selection(decisions::SelectionOptions()), false, exclude_protected)
      .Choose();
}

TEST_CASE("a pending delete is done whatever happened to the live resource, unless it is done already") {
  State old_side = StateOf("a");
  old_side.pending_delete = true;
  const StatePtr waits = Share(old_side), live = Share(StateOf("a"));
  decisions::Rows rows;
  rows.SetBase({waits, live});
  rows.Decide(live->urn, decisions::RowOutcome::kUnchanged, nullptr);
  REQUIRE(Chosen(rows).going.size() == 1);
  CHECK(Chosen(rows).going[0].step->op == StepOp::kDeleteReplaced);
  CHECK(Chosen(rows).going[0].step->because->rule == decisions::Rule::kSupersededState);
  rows.MarkDeletedFirst(waits, {}, nullptr);
  CHECK(Chosen(rows).going.empty());
}

TEST_CASE("a pending replacement that the program no longer registers is only removed from the record") {
  State state = StateOf("a");
  state.pending_replacement = true;
  decisions::Rows rows;
  rows.SetBase({Share(state)});
  CHECK(Chosen(rows).going[0].step->op == StepOp::kRemovePendingReplace);
}

TEST_CASE("a pending replacement stays recorded while a remaining resource names it") {
  State waits = StateOf("a"), left = StateOf("b");
  waits.pending_replacement = true;
  left.dependencies = {waits.urn};
  const StatePtr kept = Share(left);
  decisions::Rows rows;
  rows.SetBase({Share(waits), kept});
  rows.Keep(kept->urn, nullptr);
  rows.Publish(kept, false);
  CHECK(Chosen(rows).going.empty());
}

// [--target A, which is now called B, and an old B waits for its delete]: A goes, the old B does not.
TEST_CASE("a target does not select the pending delete of a resource whose name another has taken") {
  State old_side = StateOf("b");
  old_side.pending_delete = true;
  decisions::Rows rows;
  rows.SetBase({Share(old_side), Share(StateOf("a"))});
  rows.Claim(UrnOf("b"));
  rows.Continue(UrnOf("b"), UrnOf("a"));
  decisions::SelectionOptions options;
  options.targets = {UrnOf("a").str()};
  const decisions::Selection selection(options);
  const decisions::Deletes deletes = decisions::DeleteChoice(rows, selection, false, false).Choose();
  REQUIRE(deletes.going.size() == 1);
  CHECK(deletes.going[0].step->urn() == UrnOf("a"));
}

TEST_CASE("a pending replacement that another resource took over is only removed from the record") {
  State state = StateOf("a");
  state.pending_replacement = true;
  const StatePtr recorded = Share(state);
  decisions::Rows rows;
  rows.SetBase({recorded});
  rows.MarkPendingDelete(recorded);
  CHECK(Chosen(rows).going[0].step->op == StepOp::kRemovePendingReplace);
}

TEST_CASE("an old provider stays with the resources that it serves, and with its own dependencies") {
  State old_provider = StateOf("p");
  old_provider.urn = UrnOf("p", "pulumi:providers:pkg");
  old_provider.type = "pulumi:providers:pkg";
  State base = StateOf("base"), served = StateOf("served");
  old_provider.dependencies = {base.urn};
  served.provider = old_provider.urn.str() + "::" + old_provider.id;
  base.pending_delete = true;
  const StatePtr provider = Share(old_provider), left = Share(served);
  decisions::Rows rows;
  rows.SetBase({Share(base), provider, left});
  rows.Decide(provider->urn, decisions::RowOutcome::kReplaced, nullptr);
  rows.MarkPendingDelete(provider);
  CHECK(Chosen(rows).going.size() == 3);  // the served one is not in the program, so all go
  rows.Decide(left->urn, decisions::RowOutcome::kUnchanged, nullptr);
  rows.Publish(left, false);
  CHECK(Chosen(rows).going.empty());
}

TEST_CASE("--exclude-protected keeps protected resources and their dependencies") {
  State guarded = StateOf("b");
  guarded.protect = true;
  guarded.dependencies = {UrnOf("a")};
  decisions::Rows rows;
  rows.SetBase({Share(StateOf("a")), Share(guarded), Share(StateOf("c"))});
  CHECK(Chosen(rows, false).going.size() == 3);
  const decisions::Deletes deletes = Chosen(rows, true);
  REQUIRE(deletes.going.size() == 1);
  CHECK(deletes.going[0].step->urn() == UrnOf("c"));
  CHECK(deletes.kept.size() == 2);
}

TEST_CASE("a delete of a resource that is not a target is refused, unless --target-dependents is given") {
  State dependent = StateOf("b");
  dependent.dependencies = {UrnOf("a")};
  decisions::Rows rows;
  rows.SetBase({Share(StateOf("a")), Share(dependent)});
  decisions::SelectionOptions options;
  options.targets = {UrnOf("a").str()};
  const auto complaints = [&] {
    const decisions::Selection selection(options);
    decisions::DeleteChoice choice(rows, selection, false, false);
    return decisions::UntargetedDeletes(choice.Choose(), rows, selection).size();
  };
  CHECK(complaints() == 1);
  options.target_dependents = true;
  CHECK(complaints() == 0);
}

TEST_CASE("a failed delete keeps the dependencies of its resource, and those of others that stay") {
  State b = StateOf("b"), c = StateOf("c");
  b.dependencies = {UrnOf("a")};
  c.dependencies = {UrnOf("b")};
  decisions::Rows rows;
  rows.SetBase({Share(StateOf("a")), Share(b), Share(c)});
  decisions::Deletes deletes = Chosen(rows);
  const decisions::DeleteOrder order(deletes.going, rows.graph(), rows);
  CHECK(order.schedule().before == std::vector<std::vector<int>>{{1}, {2}, {}});
  CHECK(order.NeededBy(2) == std::vector<int>{0, 1});
  CHECK(order.NeededBy(0).empty());
  CHECK(order.NeededByOthers().empty());
  deletes.going.pop_back();  // c stays as it was recorded: its step failed
  const decisions::DeleteOrder without(deletes.going, rows.graph(), rows);
  CHECK(without.NeededByOthers().size() == 2);
}

TEST_CASE("a renamed resource is deleted after the dependents that know its former name") {
  State b = StateOf("b");
  b.dependencies = {UrnOf("former")};
  decisions::Rows rows;
  rows.SetBase({Share(StateOf("former")), Share(b)});
  rows.Claim(UrnOf("a"));
  rows.Continue(UrnOf("a"), UrnOf("former"));
  auto registered = std::make_shared<State>(StateOf("a"));
  rows.DeleteAtEnd(registered);
  rows.Decide(UrnOf("a"), decisions::RowOutcome::kUnchanged, nullptr);
  const decisions::Selection everything{decisions::SelectionOptions()};
  decisions::DeleteChoice choice(rows, everything, true, false);
  const decisions::Deletes deletes = choice.Choose();
  REQUIRE(deletes.going.size() == 2);
  const decisions::DeleteOrder order(deletes.going, choice.graph(), rows);
  const bool b_is_first = deletes.going[0].step->urn() == UrnOf("b");
  CHECK(order.schedule().before[b_is_first ? 1 : 0] == std::vector<int>{b_is_first ? 0 : 1});
}

// [B is not registered any more, and A, which stays, names it]: only what waits for its replacement is spared for that.
TEST_CASE("a dependent that stays spares a pending replacement, and no other resource") {
  State read = StateOf("read"), waiting = StateOf("waiting"), user = StateOf("user");
  read.external = true;
  waiting.pending_replacement = true;
  for (const bool names_waiting : {false, true}) {
    user.dependencies = {read.urn};
    if (names_waiting) user.dependencies.push_back(waiting.urn);
    const StatePtr stays = Share(user);
    decisions::Rows rows;
    rows.SetBase({Share(read), Share(waiting), stays});
    rows.Keep(stays->urn, nullptr);
    rows.Publish(stays, false);
    std::set<std::string> goes;
    for (const decisions::DeleteStep& one : Chosen(rows).going) goes.insert(std::string(one.step->urn().name()));
    CHECK(goes == (names_waiting ? std::set<std::string>{"read"} : std::set<std::string>{"read", "waiting"}));
  }
}

}  // namespace kingpost::delete_choice_oracle_test
