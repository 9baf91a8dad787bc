// SPDX-License-Identifier: Apache-2.0
// Checks which resources go before a replacement (row 4.2), on every small graph, against the least set that the rules
// close.
#include <catch2/catch.hpp>
#include <set>

#include "decisions/condemning.h"
#include "decisions/make_state.h"
#include "support/small_graphs.h"

namespace kingpost::condemning_oracle_test {

using namespace plan_test;
using testing::Edge;
using testing::SmallGraph;

std::string NameOf(int i) { return std::string(1, static_cast<char>('a' + i)); }

Urn NodeUrn(const SmallGraph& graph, int i) {
  return UrnOf(NameOf(i), graph.IsProvider(i) ? "pulumi:providers:pkg" : "pkg:m:Typ");
}

State NodeState(const SmallGraph& graph, int i) {
  State state = StateOf(NameOf(i));
  state.urn = NodeUrn(graph, i);
  state.type = std::string(state.urn.type());
  for (int j = 0; j < i; ++j) {
    const Urn other = NodeUrn(graph, j);
    switch (graph.edge[i][j]) {
      case Edge::kDependency:
        state.dependencies.push_back(other);
        break;
      case Edge::kProperty:
        state.inputs.Set("of " + NameOf(j), Value(NameOf(j)));
        state.property_dependencies["of " + NameOf(j)] = {other};
        break;
      case Edge::kDeletedWith:
        state.deleted_with = other;
        break;
      case Edge::kReplaceWith:
        state.replace_with.push_back(other);
        break;
      case Edge::kProvider:
        state.provider = other.str() + "::" + NameOf(j) + "-id";
        break;
      default:
        break;
    }
  }
  return state;
}

struct Case {
  const SmallGraph& graph;
  int root, handled;  // -1: none was handled before
  bool property_replaces;

  // Gone before the root: served by, deleted with, or made from what goes.
  std::set<int> Expected() const {
    std::set<int> going = {root};
    for (int i = root + 1; i < graph.size; ++i) {
      if (i == handled) continue;
      for (int j = root; j < i; ++j) {
        const Edge edge = graph.edge[i][j];
        const bool follows =
            edge == Edge::kProvider || edge == Edge::kDeletedWith || (edge == Edge::kProperty && property_replaces);
        if (going.count(j) > 0 && follows) going.insert(i);
      }
    }
    // A resource that names the root in replaceWith goes too, but its dependents stay.
    for (int i = root + 1; i < graph.size; ++i) {
      if (i != handled && graph.edge[i][root] == Edge::kReplaceWith) going.insert(i);
    }
    going.erase(root);
    return going;
  }
};

std::string Failure(const Case& expected) {
  const SmallGraph& graph = expected.graph;
  std::vector<StatePtr> base;
  for (int i = 0; i < graph.size; ++i) base.push_back(Share(NodeState(graph, i)));
  decisions::Rows rows;
  rows.SetBase(base);
  const decisions::ReasonPtr cause = decisions::Because(decisions::Rule::kForced);
  rows.Decide(base[expected.root]->urn, decisions::RowOutcome::kReplaced, cause);
  if (expected.handled >= 0) rows.Decide(base[expected.handled]->urn, decisions::RowOutcome::kUnchanged, cause);

  decisions::Condemning condemning(rows, base[expected.root], cause);
  while (const auto question = condemning.Next()) {
    if (!question->new_inputs) continue;
    DiffResponse diff;
    diff.changes = DiffChanges::kSome;
    bool touched = false;
    for (const auto& [key, value] : *question->new_inputs) {
      if (!ContainsUnknowns(value)) continue;
      touched = true;
      if (expected.property_replaces) diff.replaces.push_back(key);
    }
    if (!touched) return "asks about " + question->dependent->urn.str() + ", whose inputs are all known";
    if (!condemning.Answer(std::move(diff)).ok()) return "refuses an answer";
  }
  condemning.AddNamed();
  std::set<int> got;
  int last = -1;
  for (const decisions::Condemned& one : condemning.condemned()) {
    const int number = one.state->urn.name()[0] - 'a';
    if (number <= last) return "not in the order of the list";
    last = number;
    got.insert(number);
    const decisions::Reason* first = one.because.get();
    while (first->cause) first = first->cause.get();
    if (first != cause.get()) return NameOf(number) + " does not go because of the root";
    if (rows.Find(one.because->by) == nullptr) return NameOf(number) + " goes because of nobody";
  }
  return got == expected.Expected() ? "" : "others go";
}

TEST_CASE("the resources deleted before a replacement are the least set closed under the rules, in all small graphs") {
  int cases = 0;
  const auto compare = [&](const SmallGraph& graph) {
    if (!graph.IsPossible()) return;
    for (int root = 0; root < graph.size; ++root) {
      for (int handled = -1; handled < graph.size; ++handled) {
        if (handled == root) continue;
        for (bool property_replaces : {false, true}) {
          const Case expected{graph, root, handled, property_replaces};
          const std::string failure = Failure(expected);
          ++cases;
          if (failure.empty()) continue;
          FAIL(graph.Text() << ", root " << NameOf(root) << ", handled " << handled << ": " << failure);
        }
      }
    }
  };
  testing::ForEachGraph(
      3, {Edge::kDependency, Edge::kProperty, Edge::kDeletedWith, Edge::kReplaceWith, Edge::kProvider}, compare);
  testing::ForEachGraph(4, {Edge::kProperty, Edge::kDeletedWith, Edge::kReplaceWith}, compare);
  CHECK(cases > 20000);
}

TEST_CASE("components, external resources and pending replacements are not condemned") {
  const StatePtr root = Share(StateOf("a"));
  State dependent = StateOf("b");
  dependent.deleted_with = root->urn;
  const auto goes = [&](State state) {
    decisions::Rows rows;
    rows.SetBase({root, Share(std::move(state))});
    decisions::Condemning condemning(rows, root, nullptr);
    while (condemning.Next()) {
    }
    return !condemning.condemned().empty();
  };
  CHECK(goes(dependent));
  State component = dependent, external = dependent, waits = dependent;
  component.custom = false;
  external.external = true;
  waits.pending_replacement = true;
  CHECK_FALSE(goes(component));
  CHECK_FALSE(goes(external));
  CHECK_FALSE(goes(waits));
}

TEST_CASE("replaceOnChanges makes an update of a dependent its end") {
  const StatePtr root = Share(StateOf("a"));
  State dependent = StateOf("b");
  dependent.inputs = {{"host", "x"}};
  dependent.property_dependencies["host"] = {root->urn};
  const auto goes = [&](std::vector<std::string> replace_on_changes) {
    dependent.replace_on_changes = std::move(replace_on_changes);
    decisions::Rows rows;
    rows.SetBase({root, Share(dependent)});
    decisions::Condemning condemning(rows, root, nullptr);
    REQUIRE(condemning.Next());
    DiffResponse diff;
    diff.changes = DiffChanges::kSome;
    diff.changed_keys = {"host"};
    REQUIRE(condemning.Answer(diff).ok());
    return condemning.condemned().size() == 1;
  };
  CHECK(goes({"host"}));
  CHECK_FALSE(goes({}));
  CHECK_FALSE(goes({"port"}));
}

TEST_CASE("an unfinished operation of a dependent does not make it go") {
  const StatePtr root = Share(StateOf("a"));
  State dependent = StateOf("b");
  dependent.inputs = {{"host", "x"}};
  dependent.property_dependencies["host"] = {root->urn};
  dependent.replace_on_changes = {"#initerror"};
  decisions::Rows rows;
  rows.SetBase({root, Share(dependent)});
  decisions::Condemning condemning(rows, root, nullptr);
  REQUIRE(condemning.Next());
  DiffResponse diff;
  diff.changes = DiffChanges::kNone;
  REQUIRE(condemning.Answer(diff).ok());
  CHECK(condemning.condemned().empty());
}

TEST_CASE("a replacement waits for the dependents that another replacement condemned, and for no others") {
  const StatePtr root = Share(StateOf("a"));
  State b = StateOf("b"), c = StateOf("c");
  b.dependencies = c.dependencies = {root->urn};
  decisions::Rows rows;
  const StatePtr going = Share(b);
  rows.SetBase({root, going, Share(c)});
  CHECK(decisions::AlreadyCondemned(root, rows).empty());
  rows.MarkDeletedFirst(going, {}, nullptr);
  CHECK(decisions::AlreadyCondemned(root, rows) == std::vector<StatePtr>{going});
  CHECK(decisions::AlreadyCondemned(Share(StateOf("new")), rows).empty());
}

}  // namespace kingpost::condemning_oracle_test
