// SPDX-License-Identifier: Apache-2.0
// Sets of resources of a small graph. Tests state what goes and what stays as closures over such sets.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/small_run.h"

namespace kingpost::engine_test {

using Set = unsigned;  // bits of resources; the provider of all is not among them

inline bool Has(Set set, int i) { return i >= 0 && (set >> i & 1); }
inline Set Everything(const SmallGraph& graph) { return (1u << graph.size) - 1; }

inline Set WithDependents(const SmallGraph& graph, Set all) {
  for (int round = 0; round < graph.size; ++round) {
    for (int i = 0; i < graph.size; ++i) {
      for (int j = 0; j < i; ++j) {
        if (graph.Names(i, j) && Has(all, j)) all |= 1u << i;
      }
    }
  }
  return all;
}

inline Set WithDependencies(const SmallGraph& graph, Set all) {
  for (int round = 0; round < graph.size; ++round) {
    for (int i = 0; i < graph.size; ++i) {
      for (int j = 0; j < i; ++j) {
        if (graph.Names(i, j) && Has(all, i)) all |= 1u << j;
      }
    }
  }
  return all;
}

// The set that has to stay when `all` stays: its dependencies, and with `dependents` also all that depends on any of
// it. Resources without a provider of their own share the default one.
inline Set ToBeKept(const SmallGraph& graph, Set all, bool dependents) {
  Set sharing = 0;
  for (int i = 0; i < graph.size; ++i) {
    if (!graph.IsProvider(i) && graph.Target(i, Edge::kProvider) < 0) sharing |= 1u << i;
  }
  for (int round = 0; round < graph.size; ++round) {
    all = WithDependencies(graph, all);
    if (!dependents) continue;
    if ((all & sharing) != 0) all |= sharing;
    all = WithDependents(graph, all);
  }
  return all;
}

inline std::vector<std::string> UrnsOf(const SmallGraph& graph, Set set) {
  std::vector<std::string> urns;
  for (int i = 0; i < graph.size; ++i) {
    if (Has(set, i)) urns.push_back(UrnIn(graph, i).str());
  }
  return urns;
}

inline int Count(const Log& log, const std::string& line) {
  return static_cast<int>(std::count(log.begin(), log.end(), line));
}

// Returns the resource with which `i` is deleted, or -1. With the program, a child inherits it from its parent.
inline int OwnerOf(const SmallGraph& graph, int i, bool with_program) {
  const int own = graph.Target(i, Edge::kDeletedWith), parent = graph.Target(i, Edge::kParent);
  return own < 0 && with_program && parent >= 0 ? OwnerOf(graph, parent, true) : own;
}

// False if the delete calls no provider: `i` is a provider, or goes along with its owner.
inline bool IsCalled(const SmallGraph& graph, Set condemned, int i, bool with_program = false) {
  return !graph.IsProvider(i) && !Has(condemned, OwnerOf(graph, i, with_program));
}

// The result that a destroy must have: it tries to delete `condemned`, deletes `deleted`, drops `dropped` without
// calling a provider, and keeps the rest.
struct Wanted {
  Set condemned, deleted;
  bool with_program = false;
  Set dropped = 0;
};

// "" if the run did so, in a right order.
inline std::string DestroyFailure(const SmallGraph& graph, const RunOutcome& outcome, const Wanted& wanted) {
  const Set deleted = wanted.deleted;
  for (int i = 0; i < graph.size; ++i) {
    const bool gone = !outcome.Live(UrnIn(graph, i));
    if (gone != Has(deleted, i)) return NameOf(i) + (gone ? " is gone" : " is still there");
    const bool called = Position(outcome.calls, "delete " + NameOf(i)) >= 0;
    if (Has(deleted, i) &&
        called != (IsCalled(graph, wanted.condemned, i, wanted.with_program) && !Has(wanted.dropped, i)))
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

// The destroy of the graph, each state changed as `change` says; or one that runs the program, which says so too.
template <class F>
RunSpec Destroy(const SmallGraph& graph, bool with_program, const F& change) {
  RunSpec spec;
  spec.base = Recorded(graph, [&](int i, State* state) { change(i, &state->protect, &state->retain_on_delete); });
  spec.options.kind = OperationKind::kDestroy;
  spec.options.run_program = with_program;
  if (with_program) {
    SetProgram(&spec, graph, [change](int i, RegisterResourceRequest* request) {
      bool protect = false, retain = false;
      change(i, &protect, &retain);
      request->protect = protect;
      request->retain_on_delete = retain;
    });
  }
  return spec;
}
inline RunSpec Destroy(const SmallGraph& graph, bool with_program = false) {
  return Destroy(graph, with_program, [](int, bool*, bool*) {});
}

// Every runnable graph of three resources, and of four with these kinds of edges.
template <class F>
int ForEachSmallGraph(const std::vector<Edge>& kinds_of_four, const F& f) {
  int graphs = 0;
  const auto runnable = [&](const SmallGraph& graph) {
    if (!IsRunnable(graph)) return;
    ++graphs;
    f(graph);
  };
  testing::ForEachGraph(3, {std::begin(testing::kNamingEdges), std::end(testing::kNamingEdges)}, runnable);
  if (!kinds_of_four.empty()) testing::ForEachGraph(4, kinds_of_four, runnable);
  return graphs;
}

}  // namespace kingpost::engine_test
