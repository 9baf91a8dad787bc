// SPDX-License-Identifier: Apache-2.0
// Checks destroys of every small graph against closures over sets: what goes, what stays, and in which order. They run
// from the record and with the program, with targets, with excludes, and with a delete that fails.
#include <catch2/catch.hpp>

#include "engine/graph_sets.h"

namespace kingpost::deletes_oracle_test {

using namespace engine_test;

template <class F>
int ForEachDestroy(const F& f) {
  return ForEachSmallGraph({Edge::kParent, Edge::kDependency}, [&](const SmallGraph& graph) {
    f(graph, false);
    if (graph.size == 3) f(graph, true);
  });
}

TEST_CASE("a destroy deletes the targets and their dependents, in all small graphs") {
  const int graphs = ForEachDestroy([](const SmallGraph& graph, bool with_program) {
    for (Set targets = 1; targets <= Everything(graph); ++targets) {
      RunSpec spec = Destroy(graph, with_program);
      spec.options.targets = UrnsOf(graph, targets);
      spec.options.target_dependents = targets & 1;
      const Set all = WithDependents(graph, targets);
      const bool allowed = spec.options.target_dependents || all == targets;
      const RunOutcome outcome = RunSmall(spec);
      std::string failure = DestroyFailure(graph, outcome, {all, allowed ? all : 0, with_program});
      if (outcome.result.status.ok() != allowed) failure = allowed ? "failed: " + outcome.errors : "succeeds";
      if (!failure.empty()) {
        FAIL(graph.Text() << ", targets " << targets << ", program " << with_program << ": " << failure);
      }
    }
  });
  CHECK(graphs > 500);
}

TEST_CASE("a destroy keeps excluded resources and their dependencies, in all small graphs") {
  ForEachDestroy([](const SmallGraph& graph, bool with_program) {
    for (Set excludes = 1; excludes <= Everything(graph); ++excludes) {
      RunSpec spec = Destroy(graph, with_program);
      spec.options.excludes = UrnsOf(graph, excludes);
      spec.options.exclude_dependents = excludes & 1;
      const Set kept = ToBeKept(graph, excludes, spec.options.exclude_dependents);
      const Set deleted = Everything(graph) & ~kept;
      const RunOutcome outcome = RunSmall(spec);
      std::string failure = DestroyFailure(graph, outcome, {deleted, deleted, with_program});
      if (!outcome.result.status.ok()) failure = "failed: " + outcome.errors;
      if (!failure.empty()) {
        FAIL(graph.Text() << ", excludes " << excludes << ", program " << with_program << ": " << failure);
      }
    }
  });
}

TEST_CASE("after a failed delete only the dependencies of the resource stay, in all small graphs") {
  ForEachDestroy([](const SmallGraph& graph, bool with_program) {
    const Set all = Everything(graph);
    for (int failing = 0; failing < graph.size; ++failing) {
      if (!IsCalled(graph, all, failing, with_program)) continue;
      RunSpec spec = Destroy(graph, with_program);
      spec.options.continue_on_error = true;
      spec.failing = {"delete " + NameOf(failing)};
      const RunOutcome outcome = RunSmall(spec);
      std::string failure =
          DestroyFailure(graph, outcome, {all, all & ~WithDependencies(graph, 1u << failing), with_program});
      if (outcome.result.status.ok()) failure = "succeeds";
      if (!failure.empty()) {
        FAIL(graph.Text() << ", " << NameOf(failing) << " fails, program " << with_program << ": " << failure);
      }
    }
  });
}

TEST_CASE("a failed delete ends the run and keeps its dependencies, in all small graphs") {
  int stopped_early = 0;
  ForEachDestroy([&stopped_early](const SmallGraph& graph, bool with_program) {
    const Set all = Everything(graph);
    for (int failing = 0; failing < graph.size; ++failing) {
      if (!IsCalled(graph, all, failing, with_program)) continue;
      RunSpec spec = Destroy(graph, with_program);
      spec.failing = {"delete " + NameOf(failing)};
      const RunOutcome outcome = RunSmall(spec);
      Set gone = 0;
      for (int i = 0; i < graph.size; ++i) {
        if (!outcome.Live(UrnIn(graph, i))) gone |= 1u << i;
      }
      std::string failure = DestroyFailure(graph, outcome, {all, gone, with_program});
      if ((gone & WithDependencies(graph, 1u << failing)) != 0) failure = "what it needs is gone";
      if (outcome.result.status.ok()) failure = "succeeds";
      stopped_early += gone != (all & ~WithDependencies(graph, 1u << failing));
      if (!failure.empty()) {
        FAIL(graph.Text() << ", " << NameOf(failing) << " fails, program " << with_program << ": " << failure);
      }
    }
  });
  CHECK(stopped_early > 100);
}

}  // namespace kingpost::deletes_oracle_test
