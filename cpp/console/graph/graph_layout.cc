// SPDX-License-Identifier: Apache-2.0
// Columns by the longest way, rows by the mean of the neighbours, a few times back and forth (K. Sugiyama, 1981).
#include "console/graph/graph_layout.h"

#include <algorithm>

namespace kingpost {

namespace {

constexpr int kSweeps = 6;

using Neighbours = std::vector<std::vector<int>>;

struct Sides {
  Neighbours left, right;
};

Sides SidesOf(const Graph& graph) {
  Sides sides{Neighbours(graph.nodes.size()), Neighbours(graph.nodes.size())};
  const auto add = [&](int left, int right) {
    sides.left[static_cast<size_t>(right)].push_back(left);
    sides.right[static_cast<size_t>(left)].push_back(right);
  };
  for (const GraphEdge& edge : graph.edges) add(edge.to, edge.from);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].parent >= 0) add(graph.nodes[i].parent, static_cast<int>(i));
  }
  return sides;
}

// In the order of their needs, without recursion: chains may be long. What is in a circle is left over and takes the
// column that its other needs give it.
std::vector<int> Columns(const Sides& sides) {
  const size_t count = sides.left.size();
  std::vector<int> column(count, 0), open(count);
  std::vector<int> ready;
  for (size_t i = 0; i < count; ++i) {
    open[i] = static_cast<int>(sides.left[i].size());
    if (open[i] == 0) ready.push_back(static_cast<int>(i));
  }
  for (size_t at = 0; at < ready.size(); ++at) {
    for (const int next : sides.right[static_cast<size_t>(ready[at])]) {
      int& place = column[static_cast<size_t>(next)];
      place = std::max(place, column[static_cast<size_t>(ready[at])] + 1);
      if (--open[static_cast<size_t>(next)] == 0) ready.push_back(next);
    }
  }
  return column;
}

void Order(std::vector<int>* nodes, const Neighbours& neighbours, std::vector<GraphLayout::Place>* places) {
  std::vector<std::pair<double, int>> keyed;
  for (const int node : *nodes) {
    double sum = 0;
    for (const int other : neighbours[static_cast<size_t>(node)]) sum += (*places)[static_cast<size_t>(other)].row;
    const size_t count = neighbours[static_cast<size_t>(node)].size();
    const double own = (*places)[static_cast<size_t>(node)].row;
    keyed.emplace_back(count == 0 ? own : sum / static_cast<double>(count), node);
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < keyed.size(); ++i) {
    (*nodes)[i] = keyed[i].second;
    (*places)[static_cast<size_t>(keyed[i].second)].row = static_cast<int>(i);
  }
}

}  // namespace

GraphLayout LayOut(const Graph& graph) {
  GraphLayout layout;
  layout.places.resize(graph.nodes.size());
  if (graph.nodes.empty()) return layout;
  const Sides sides = SidesOf(graph);
  const std::vector<int> columns = Columns(sides);
  layout.columns = *std::max_element(columns.begin(), columns.end()) + 1;
  std::vector<std::vector<int>> members(static_cast<size_t>(layout.columns));
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<int>& column = members[static_cast<size_t>(columns[i])];
    layout.places[i] = {columns[i], static_cast<int>(column.size())};
    column.push_back(static_cast<int>(i));
    layout.rows = std::max(layout.rows, static_cast<int>(column.size()));
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const bool forth = sweep % 2 == 0;
    for (size_t i = 0; i < members.size(); ++i) {
      std::vector<int>& column = members[forth ? i : members.size() - 1 - i];
      Order(&column, forth ? sides.left : sides.right, &layout.places);
    }
  }
  return layout;
}

}  // namespace kingpost
