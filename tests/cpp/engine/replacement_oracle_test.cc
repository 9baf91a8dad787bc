// SPDX-License-Identifier: Apache-2.0
// Checks replacements on every small graph: which resources are condemned with one that is deleted first, and which
// follow later. It also checks the order of deletes and creates, and which of them call the provider.
#include <catch2/catch.hpp>

#include "engine/graph_sets.h"

namespace kingpost::replacement_oracle_test {

using namespace engine_test;

// One resource is replaced; deleted first or last.
struct Replacement {
  const SmallGraph& graph;
  int root;
  bool delete_first;
  bool property_replaces;

  // Returns the least set with `start` that holds each resource which refers to a member in a way that `follows`
  // accepts.
  template <class F>
  Set Closure(Set start, const F& follows) const {
    Set all = start;
    for (bool grown = true; grown;) {
      grown = false;
      for (int i = 0; i < graph.size; ++i) {
        for (int j = 0; j < i; ++j) {
          if (Has(all, i) || !Has(all, j) || !follows(all, j, graph.edge[i][j])) continue;
          all |= 1u << i;
          grown = true;
        }
      }
    }
    return all;
  }
  // Row 4.2: the resources that go before the root is created again. As in Pulumi, replaceWith is followed from the
  // root alone, and not further.
  Set Condemned() const {
    if (!delete_first) return 0;
    Set gone = Closure(1u << root, [this](Set, int, Edge edge) {
      return edge == Edge::kProvider || edge == Edge::kDeletedWith || (edge == Edge::kProperty && property_replaces);
    });
    for (int i = root + 1; i < graph.size; ++i) {
      if (graph.edge[i][root] == Edge::kReplaceWith) gone |= 1u << i;
    }
    return gone;
  }
  // True if the change of the provider's configuration asks for new resources.
  bool IsConfiguredAnew(int provider, Set replaced) const {
    bool anew = provider == root;
    for (int j = 0; j < provider; ++j) {
      anew = anew || (property_replaces && graph.edge[provider][j] == Edge::kProperty && Has(replaced, j));
    }
    return anew;
  }
  // Row 3.17: adds the resources that are replaced in their turn, because others were replaced before.
  Set Replaced() const {
    return Closure(Condemned() | 1u << root, [this](Set all, int named, Edge edge) {
      return edge == Edge::kDeletedWith || edge == Edge::kReplaceWith ||
             (edge == Edge::kProperty && property_replaces) ||
             (edge == Edge::kProvider && IsConfiguredAnew(named, all));
    });
  }
  std::string StepOf(int i) const {
    if (Has(Replaced(), i)) return "replace";
    for (int j = 0; j < i; ++j) {
      if (graph.edge[i][j] == Edge::kProperty && Has(Replaced(), j)) return "update";
    }
    return "same";
  }
  // As in Pulumi, a condemned resource that is back again takes no other along at the end.
  bool IsDeletedWithAnother(int i) const {
    const int other = graph.Target(i, Edge::kDeletedWith);
    const bool back_again = other != root && Has(Condemned(), other) && !Has(Condemned(), i);
    return Has(Replaced(), other) && !back_again;
  }
};

RunOutcome Run(const Replacement& replacement) {
  RunSpec spec;
  spec.base = Recorded(replacement.graph);
  spec.property_replaces = replacement.property_replaces;
  SetProgram(&spec, replacement.graph, [replacement](int i, RegisterResourceRequest* request) {
    if (i != replacement.root) return;
    request->inputs.Set("replace", Value(1));
    request->delete_before_replace = replacement.delete_first;
  });
  return RunSmall(spec);
}

// Says what the run did wrong; "" if nothing.
std::string Failure(const Replacement& expected, const RunOutcome& outcome) {
  if (!outcome.result.status.ok()) return "failed: " + outcome.errors;
  const SmallGraph& graph = expected.graph;
  const Set condemned = expected.Condemned(), replaced = expected.Replaced();
  const int root_made = Position(outcome.steps, "create-replacement " + NameOf(expected.root));
  for (int i = 0; i < graph.size; ++i) {
    const std::string name = NameOf(i);
    const std::string step = expected.StepOf(i);
    for (const std::string op : {"same", "update", "replace"}) {
      if (Count(outcome.steps, op + " " + name) != (op == step)) return name + " should be: " + step;
    }
    const int made = Position(outcome.steps, "create-replacement " + name);
    const int gone = Position(outcome.steps, "delete-replaced " + name);
    const int times = Has(replaced, i);
    if (Count(outcome.steps, "create-replacement " + name) != times) return name + " is not made once";
    if (Count(outcome.steps, "delete-replaced " + name) != times) return name + " is not deleted once";
    if (!times) continue;
    if (Has(condemned, i) != (gone < made)) return name + " goes at the wrong end";
    if (Has(condemned, i) && gone > root_made) return name + " goes too late";
    const bool asked = !graph.IsProvider(i) && !expected.IsDeletedWithAnother(i);
    if (Count(outcome.calls, "delete " + name) != asked) return name + (asked ? " is not" : " is") + " deleted by call";
    for (int j = 0; j < i; ++j) {
      if (!Has(replaced, j) || !graph.Names(i, j)) continue;
      if (made < Position(outcome.steps, "create-replacement " + NameOf(j))) return name + " is made too early";
      if (Has(condemned, i) != Has(condemned, j)) continue;
      if (gone > Position(outcome.steps, "delete-replaced " + NameOf(j))) return NameOf(j) + " goes before " + name;
    }
  }
  const Status sound = VerifyIntegrity(outcome.snapshot);
  if (!sound.ok()) return sound.message();
  if (static_cast<int>(outcome.snapshot.resources.size()) != graph.size + 1) return "something is left over";
  for (int i = 0; i < graph.size; ++i) {
    const StatePtr state = outcome.Live(UrnIn(graph, i));
    if (!state || (state->id == testing::IdOf(i)) == Has(replaced, i)) return NameOf(i) + " is recorded wrongly";
  }
  return "";
}

TEST_CASE("a replacement takes along the resources that the rules name, in their order, in all small graphs") {
  int cases = 0;
  const auto compare = [&](const SmallGraph& graph) {
    if (!IsRunnable(graph)) return;
    for (int root = 0; root < graph.size; ++root) {
      for (int variant = 0; variant < 4; ++variant) {
        const Replacement expected{graph, root, variant % 2 == 1, variant / 2 == 1};
        const RunOutcome outcome = Run(expected);
        const std::string failure = Failure(expected, outcome);
        ++cases;
        if (failure.empty()) continue;
        FAIL(graph.Text() << ", root " << NameOf(root) << (expected.delete_first ? " deleted first" : "")
                          << (expected.property_replaces ? "" : ", properties updated") << ": " << failure << "\n"
                          << Joined(outcome.steps) << "\n"
                          << Joined(outcome.calls));
      }
    }
  };
  testing::ForEachGraph(
      3, {Edge::kDependency, Edge::kProperty, Edge::kDeletedWith, Edge::kReplaceWith, Edge::kProvider}, compare);
  testing::ForEachGraph(4, {Edge::kProperty, Edge::kDeletedWith}, compare);
  CHECK(cases > 9000);
}

}  // namespace kingpost::replacement_oracle_test
