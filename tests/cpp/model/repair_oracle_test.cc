// SPDX-License-Identifier: Apache-2.0
// Checks repairs of every small graph by brute force. Sorting is compared with all permutations, and the dropping of
// references with a graph in which the missing resources never existed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "model/snapshot.h"
#include "model/states.h"
#include "support/small_graphs.h"

namespace kingpost::repair_oracle_test {

using testing::Edge;
using testing::SmallGraph;
using States = std::vector<StatePtr>;

// ---- sorting

// True if `second` refers to `first`. Twins share a URN: a live state refers to the live twin. A state that waits for
// its deletion refers to the twin that waits, which was alive when it was made.
bool MustComeBefore(const SmallGraph& graph, const States& list, int first, int second) {
  for (int named = 0; named < graph.size; ++named) {
    if (!graph.Names(second, named) || list[named]->urn != list[first]->urn) continue;
    bool twin_fits_better = false;
    for (int other = 0; other < graph.size; ++other) {
      if (other == first || list[other]->urn != list[first]->urn) continue;
      twin_fits_better = list[other]->pending_delete == list[second]->pending_delete;
    }
    if (!twin_fits_better) return true;
  }
  return false;
}

bool IsOrder(const SmallGraph& graph, const States& list, const std::vector<int>& order) {
  for (size_t late = 0; late < order.size(); ++late) {
    for (size_t early = 0; early <= late; ++early) {
      if (MustComeBefore(graph, list, order[late], order[early])) return false;
    }
  }
  return true;
}

bool AnyOrder(const SmallGraph& graph, const States& list) {
  std::vector<int> order(graph.size);
  std::iota(order.begin(), order.end(), 0);
  do {
    if (IsOrder(graph, list, order)) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// The second and the last share a URN, one of them waiting for its deletion.
States WithTwins(const SmallGraph& graph, int variant) {
  std::vector<State> states;
  SmallGraph named = graph;
  for (int i = 0; i < graph.size; ++i) states.push_back(StateIn(named, i));
  if (variant > 0) {
    const Urn urn = states[1].urn;
    states.back().urn = urn;
    states.back().type = states[1].type;
    states[1].pending_delete = variant & 1;
    states.back().pending_delete = !(variant & 1);
    states[0].pending_delete = variant > 2;
    for (int i = 0; i < graph.size; ++i) {
      State renamed = StateIn(graph, i);
      State& state = states[i];
      for (std::vector<Urn>* urns : {&state.dependencies, &state.replace_with}) {
        std::replace(urns->begin(), urns->end(), UrnIn(graph, graph.size - 1), urn);
      }
      for (auto& [key, urns] : state.property_dependencies.Own()) {
        std::replace(urns.begin(), urns.end(), UrnIn(graph, graph.size - 1), urn);
      }
      if (state.parent == UrnIn(graph, graph.size - 1)) state.parent = urn;
      if (state.deleted_with == UrnIn(graph, graph.size - 1)) state.deleted_with = urn;
    }
  }
  States shared;
  for (State& state : states) shared.push_back(std::make_shared<const State>(std::move(state)));
  return shared;
}

std::vector<int> Positions(const States& sorted, const States& list) {
  std::vector<int> order;
  for (const StatePtr& state : sorted) {
    order.push_back(static_cast<int>(std::find(list.begin(), list.end(), state) - list.begin()));
  }
  return order;
}

// "" if the sort did what it must.
std::string SortFailure(const SmallGraph& graph, const States& list) {
  const Result<States> sorted = TopologicalSort(list);
  if (sorted.ok() != AnyOrder(graph, list)) return sorted.ok() ? "sorts a cycle" : "sees a cycle where there is none";
  if (!sorted.ok()) return "";
  std::vector<int> order = Positions(*sorted, list);
  if (!IsOrder(graph, list, order)) return "out of order";
  const Result<States> again = TopologicalSort(*sorted);
  if (!again.ok() || *again != *sorted) return "does not stay sorted";
  std::vector<int> all = order;
  std::sort(all.begin(), all.end());
  std::vector<int> given(list.size());
  std::iota(given.begin(), given.end(), 0);
  if (all != given) return "is no permutation";
  if (IsOrder(graph, list, given) && order != given) return "changes an order that was fine";
  return "";
}

TEST_CASE("sorting finds an order exactly if some permutation is one, in all small graphs", "[model]") {
  int cases = 0;
  const auto compare = [&](const SmallGraph& graph) {
    const bool provides = graph.IsProvider(1) || graph.IsProvider(graph.size - 1);
    for (int variant = 0; variant < (provides ? 1 : 5); ++variant) {
      ++cases;
      const std::string failure = SortFailure(graph, WithTwins(graph, variant));
      if (!failure.empty()) FAIL(graph.Text() << ", variant " << variant << ": " << failure);
    }
  };
  testing::ForEachUnorderedGraph(2, true, compare);
  testing::ForEachUnorderedGraph(3, true, compare);
  testing::ForEachUnorderedGraph(4, false, compare);
  CHECK(cases > 60000);
}

}  // namespace kingpost::repair_oracle_test
