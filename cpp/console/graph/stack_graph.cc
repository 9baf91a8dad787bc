// SPDX-License-Identifier: Apache-2.0
#include "console/graph/stack_graph.h"

namespace kingpost {

namespace {

constexpr char kStackWord[] = "stack";  // in place of a type

// The stack's own node, which all its resources stand in. A stack that was never deployed has no other.
int AddStack(const StackPicture& stack, bool resources, Graph* graph) {
  const int own = static_cast<int>(graph->nodes.size());
  GraphNode box;
  box.type = kStackWord;
  box.name = stack.name;
  box.is_component = true;
  graph->nodes.push_back(box);
  if (!resources) return own;
  Graph inner = GraphOfState(stack.snapshot, "");
  LeaveOutProviders(&inner);
  std::vector<int> place(inner.nodes.size(), own);
  for (size_t i = 0; i < inner.nodes.size(); ++i) {
    GraphNode& node = inner.nodes[i];
    if (node.type == kRootStackType && node.parent < 0) {
      graph->nodes[static_cast<size_t>(own)].urn = node.urn;
      continue;
    }
    place[i] = static_cast<int>(graph->nodes.size());
    graph->nodes.push_back(std::move(node));
  }
  for (size_t i = 0; i < inner.nodes.size(); ++i) {
    if (place[i] == own) continue;
    int& parent = graph->nodes[static_cast<size_t>(place[i])].parent;
    parent = parent < 0 ? own : place[static_cast<size_t>(parent)];
  }
  for (GraphEdge& edge : inner.edges) {
    edge.from = place[static_cast<size_t>(edge.from)];
    edge.to = place[static_cast<size_t>(edge.to)];
    graph->edges.push_back(std::move(edge));
  }
  return own;
}

}  // namespace

Graph GraphOfStacks(const std::vector<StackPicture>& stacks, bool resources, const std::string& title) {
  Graph graph;
  graph.title = title;
  graph.is_of_stacks = true;
  std::vector<int> boxes;
  boxes.reserve(stacks.size());
  for (const StackPicture& stack : stacks) boxes.push_back(AddStack(stack, resources, &graph));
  for (size_t i = 0; i < stacks.size(); ++i) {
    for (const size_t read : stacks[i].reads) {
      graph.edges.push_back({boxes[i], boxes[read], GraphEdge::Kind::kDependency, {}});
    }
  }
  return graph;
}

}  // namespace kingpost
