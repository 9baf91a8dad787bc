// SPDX-License-Identifier: Apache-2.0
// Checks the rest of a snapshot after resources are removed or renamed, in every small graph. The oracle writes the
// snapshot anew, as if the removed resources or old names had never existed.
#include <catch2/catch.hpp>

#include "model/snapshot.h"
#include "model/states.h"
#include "model/states_equal.h"
#include "support/small_graphs.h"

namespace kingpost::removal_oracle_test {

using testing::Edge;
using testing::Labels;
using testing::SameNames;
using testing::SmallGraph;
using States = std::vector<StatePtr>;

const std::vector<Edge> kAllKinds(std::begin(testing::kNamingEdges), std::end(testing::kNamingEdges));

// Calls f(graph, what is left as a set of bits) and returns how often.
template <class F>
int ForEachRemoval(const F& f) {
  int cases = 0;
  const auto visit = [&](const SmallGraph& graph) {
    for (unsigned left = 0; left < 1u << graph.size; ++left, ++cases) f(graph, left);
  };
  testing::ForEachGraph(3, kAllKinds, visit);
  testing::ForEachGraph(4, {Edge::kParent, Edge::kDependency, Edge::kReplaceWith}, visit);
  testing::ForEachGraph(4, {Edge::kParent, Edge::kProperty, Edge::kDeletedWith}, visit);
  testing::ForEachGraph(4, {Edge::kParent, Edge::kProvider}, visit);
  return cases;
}

bool Has(unsigned set, int i) { return set >> i & 1; }

States Pick(const States& list, unsigned left) {
  States picked;
  for (size_t i = 0; i < list.size(); ++i) {
    if (Has(left, static_cast<int>(i))) picked.push_back(list[i]);
  }
  return picked;
}

// ---- after a refresh: names stay, children go to the nearest ancestor that is left

States WithoutDangling(const SmallGraph& graph, unsigned left) {
  States expected;
  for (int i = 0; i < graph.size; ++i) {
    if (!Has(left, i)) continue;
    State state = StateIn(graph, i, 0);  // without references
    state.urn = UrnIn(graph, i);
    int ancestor = graph.Target(i, Edge::kParent);
    while (ancestor >= 0 && !Has(left, ancestor)) ancestor = graph.Target(ancestor, Edge::kParent);
    if (ancestor >= 0) state.parent = UrnIn(graph, ancestor);
    for (int j = 0; j < i; ++j) {
      if (graph.edge[i][j] == Edge::kParent) continue;
      if (Has(left, j) || graph.edge[i][j] == Edge::kProvider) {
        Name(&state, graph.edge[i][j], UrnIn(graph, j), testing::IdOf(j));
      }
    }
    expected.push_back(std::make_shared<const State>(std::move(state)));
  }
  return expected;
}

// ---- after a repair: as if the removed resources had never existed. References to a removed provider stay.

States AsIfNeverThere(const SmallGraph& graph, unsigned left) {
  States expected;
  for (int i = 0; i < graph.size; ++i) {
    if (!Has(left, i)) continue;
    State state = StateIn(graph, i, left);
    const int provider = graph.Target(i, Edge::kProvider);
    if (provider >= 0 && !Has(left, provider))
      Name(&state, Edge::kProvider, UrnIn(graph, provider), testing::IdOf(provider));
    expected.push_back(std::make_shared<const State>(std::move(state)));
  }
  return expected;
}

// "b>b'-^a": for every resource with something to tell its old and new URN and what it lost.
std::string ExpectedReport(const SmallGraph& graph, unsigned left) {
  std::string report;
  for (int i = 0; i < graph.size; ++i) {
    if (!Has(left, i)) continue;
    std::string lost;
    for (Edge kind : testing::kNamingEdges) {
      for (int j = 0; j < i && kind != Edge::kProvider; ++j) {
        if (graph.edge[i][j] == kind && !Has(left, j)) lost += " -" + UrnIn(graph, j).str();
      }
    }
    const Urn before = UrnIn(graph, i), after = UrnIn(graph, i, left);
    if (lost.empty() && before == after) continue;
    report += before.str() + " > " + after.str() + lost + "\n";
  }
  return report;
}

std::string ReportOf(const std::vector<PruneResult>& results) {
  std::string report;
  for (const PruneResult& result : results) {
    report += result.old_urn.str() + " > " + result.new_urn.str();
    for (const PruneResult::Removed& removed : result.removed) report += " -" + removed.urn.str();
    report += "\n";
  }
  return report;
}

// ---- renames

enum class Treatment { kUntouched, kSame, kRenamed, kRetyped };

// A run has renamed some resources, registered others as they were, and not touched the rest.
struct Renaming {
  const SmallGraph& graph;
  std::array<Treatment, SmallGraph::kMost> treatments;

  Labels After() const {
    Labels labels;
    for (int i = 0; i < graph.size; ++i) {
      if (treatments[i] == Treatment::kRenamed) labels[i].name = std::string("new-") + static_cast<char>('a' + i);
      if (treatments[i] == Treatment::kRetyped) labels[i].type = "pkg:index:New";
    }
    return labels;
  }
  States Before() const {  // what the run recorded: its own states in its own words, with their aliases
    States states;
    for (int i = 0; i < graph.size; ++i) {
      const bool touched = treatments[i] != Treatment::kUntouched;
      State state = StateIn(graph, i, testing::kEverything, touched ? After() : Labels());
      const Urn old_urn = UrnIn(graph, i);
      if (touched && state.urn != old_urn) state.aliases.push_back(old_urn);
      states.push_back(std::make_shared<const State>(std::move(state)));
    }
    return states;
  }
};

TEST_CASE("nothing dangles after removals, and orphans find their nearest ancestor, in all small graphs", "[model]") {
  const int cases = ForEachRemoval([](const SmallGraph& graph, unsigned left) {
    const States all = StatesIn(graph);
    std::map<Urn, StatePtr> removed;
    for (int i = 0; i < graph.size; ++i) {
      if (!Has(left, i)) removed.emplace(all[i]->urn, all[i]);
    }
    const States list = Pick(all, left);
    const States repaired = DropDanglingReferences(list, removed);
    const States expected = WithoutDangling(graph, left);
    bool agrees = SameNames(repaired, expected) && SameNames(DropDanglingReferences(repaired, removed), repaired);
    for (size_t i = 0; agrees && i < list.size(); ++i) {
      agrees = (repaired[i] == list[i]) == SameNames(*list[i], *expected[i]);  // shared if as it was
    }
    if (!agrees) FAIL(graph.Text() << ", left " << left);
  });
  CHECK(cases > 50000);
}

TEST_CASE("a pruned snapshot looks as if the removed resources had never existed, in all small graphs", "[model]") {
  const int cases = ForEachRemoval([](const SmallGraph& graph, unsigned left) {
    const States list = Pick(StatesIn(graph), left);
    std::vector<PruneResult> results, again;
    const States pruned = Prune(list, &results);
    const bool agrees = SameNames(pruned, AsIfNeverThere(graph, left)) &&
                        ReportOf(results) == ExpectedReport(graph, left) && SameNames(Prune(pruned, &again), pruned) &&
                        again.empty();
    if (!agrees) FAIL(graph.Text() << ", left " << left << "\n" << ReportOf(results));
  });
  CHECK(cases > 50000);
}

TEST_CASE("after renames everything is called as if it had always been, in all small graphs", "[model]") {
  int cases = 0;
  const auto compare = [&](const SmallGraph& graph) {
    for (int number = 0; number < 1 << (2 * graph.size); ++number, ++cases) {
      Renaming renaming{graph, {}};
      for (int i = 0; i < graph.size; ++i) renaming.treatments[i] = static_cast<Treatment>(number >> (2 * i) & 3);
      const States before = renaming.Before();
      const States after = NormalizeUrns(before);
      const States expected = StatesIn(graph, testing::kEverything, renaming.After());
      bool agrees = SameNames(after, expected) && NormalizeUrns(after) == after;
      for (size_t i = 0; agrees && i < after.size(); ++i) {
        agrees = (after[i] == before[i]) == SameNames(*before[i], *expected[i]);
      }
      if (!agrees) FAIL(graph.Text() << ", treatments " << number);
    }
  };
  testing::ForEachGraph(3, kAllKinds, compare);
  testing::ForEachGraph(4, {Edge::kParent, Edge::kDependency}, compare);
  CHECK(cases > 100000);
}

}  // namespace kingpost::removal_oracle_test
