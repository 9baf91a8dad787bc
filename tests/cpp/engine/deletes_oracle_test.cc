// Destroys of every small graph, with targets, with excludes, and with a delete that fails: what goes, what stays and
// in which order, against closures over sets.
#include <catch2/catch.hpp>

#include "engine/small_run.h"

using namespace kingpost;
using namespace kingpost::engine_test;

namespace {

using Set = unsigned;  // bits of resources; the provider of all is not among them
bool Has(Set set, int i) { return i >= 0 && (set >> i & 1); }

Set WithDependents(const SmallGraph& graph, Set all) {
  for (int round = 0; round < graph.size; ++round) {
    for (int i = 0; i < graph.size; ++i) {
      for (int j = 0; j < i; ++j) {
        if (graph.Names(i, j) && Has(all, j)) all |= 1u << i;
      }
    }
  }
  return all;
}

Set WithDependencies(const SmallGraph& graph, Set all) {
  for (int round = 0; round < graph.size; ++round) {
    for (int i = 0; i < graph.size; ++i) {
      for (int j = 0; j < i; ++j) {
        if (graph.Names(i, j) && Has(all, i)) all |= 1u << j;
      }
    }
  }
  return all;
}

Set Everything(const SmallGraph& graph) { return (1u << graph.size) - 1; }

// Deleted when what it is deleted with is, or a provider: nobody is asked.
bool IsCalled(const SmallGraph& graph, Set condemned, int i) {
  return !graph.IsProvider(i) && !Has(condemned, graph.Target(i, Edge::kDeletedWith));
}

// "" if the run deleted `deleted`, tried to delete `condemned`, and kept the rest.
std::string Failure(const SmallGraph& graph, const RunOutcome& outcome, Set condemned, Set deleted) {
  for (int i = 0; i < graph.size; ++i) {
    const bool gone = !outcome.Live(UrnIn(graph, i));
    if (gone != Has(deleted, i)) return NameOf(i) + (gone ? " is gone" : " is still there");
    const bool called = Position(outcome.calls, "delete " + NameOf(i)) >= 0;
    if (Has(deleted, i) && called != IsCalled(graph, condemned, i))
      return NameOf(i) + (called ? " is called" : " is not called");
    for (int j = 0; j < i; ++j) {
      if (!graph.Names(i, j) || !Has(deleted, i) || !Has(deleted, j)) continue;
      if (Position(outcome.ended, "delete " + NameOf(i)) > Position(outcome.steps, "delete " + NameOf(j))) {
        return NameOf(j) + " goes before " + NameOf(i);
      }
    }
  }
  return VerifyIntegrity(outcome.snapshot).message();
}

RunSpec Destroy(const SmallGraph& graph) {
  RunSpec spec;
  spec.base = Recorded(graph);
  spec.options.kind = OperationKind::kDestroy;
  spec.options.run_program = false;
  return spec;
}

std::vector<std::string> UrnsOf(const SmallGraph& graph, Set set) {
  std::vector<std::string> urns;
  for (int i = 0; i < graph.size; ++i) {
    if (Has(set, i)) urns.push_back(UrnIn(graph, i).str());
  }
  return urns;
}

template <class F>
int ForEachSmallGraph(const F& f) {
  int graphs = 0;
  const auto runnable = [&](const SmallGraph& graph) {
    if (!IsRunnable(graph)) return;
    ++graphs;
    f(graph);
  };
  testing::ForEachGraph(3, {std::begin(testing::kNamingEdges), std::end(testing::kNamingEdges)}, runnable);
  testing::ForEachGraph(4, {Edge::kParent, Edge::kDependency}, runnable);
  return graphs;
}

}  // namespace

TEST_CASE("a destroy deletes the targets and what depends on them, in all small graphs") {
  const int graphs = ForEachSmallGraph([](const SmallGraph& graph) {
    for (Set targets = 1; targets <= Everything(graph); ++targets) {
      RunSpec spec = Destroy(graph);
      spec.options.targets = UrnsOf(graph, targets);
      spec.options.target_dependents = targets & 1;
      const Set all = WithDependents(graph, targets);
      const bool allowed = spec.options.target_dependents || all == targets;
      const RunOutcome outcome = RunSmall(spec);
      std::string failure = Failure(graph, outcome, all, allowed ? all : 0);
      if (outcome.result.status.ok() != allowed) failure = allowed ? "failed: " + outcome.errors : "succeeds";
      if (!failure.empty()) FAIL(graph.Text() << ", targets " << targets << ": " << failure);
    }
  });
  CHECK(graphs > 500);
}

TEST_CASE("a destroy keeps what is excluded and what that needs, in all small graphs") {
  ForEachSmallGraph([](const SmallGraph& graph) {
    for (Set excludes = 1; excludes <= Everything(graph); ++excludes) {
      RunSpec spec = Destroy(graph);
      spec.options.excludes = UrnsOf(graph, excludes);
      const Set deleted = Everything(graph) & ~WithDependencies(graph, excludes);
      const RunOutcome outcome = RunSmall(spec);
      std::string failure = Failure(graph, outcome, deleted, deleted);
      if (!outcome.result.status.ok()) failure = "failed: " + outcome.errors;
      if (!failure.empty()) FAIL(graph.Text() << ", excludes " << excludes << ": " << failure);
    }
  });
}

TEST_CASE("after a failed delete only what the resource needs stays, in all small graphs") {
  ForEachSmallGraph([](const SmallGraph& graph) {
    const Set all = Everything(graph);
    for (int failing = 0; failing < graph.size; ++failing) {
      if (!IsCalled(graph, all, failing)) continue;
      RunSpec spec = Destroy(graph);
      spec.options.continue_on_error = true;
      spec.failing = {"delete " + NameOf(failing)};
      const RunOutcome outcome = RunSmall(spec);
      std::string failure = Failure(graph, outcome, all, all & ~WithDependencies(graph, 1u << failing));
      if (outcome.result.status.ok()) failure = "succeeds";
      if (!failure.empty()) FAIL(graph.Text() << ", " << NameOf(failing) << " fails: " << failure);
    }
  });
}
