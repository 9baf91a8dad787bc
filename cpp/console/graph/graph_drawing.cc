// SPDX-License-Identifier: Apache-2.0
#include "console/graph/graph_drawing.h"

#include <algorithm>

#include "console/graph/graph_layout.h"

namespace kingpost {

namespace {

constexpr double kBoxColumnGap = 90, kRowGap = 16;

GraphLine::Kind KindOf(GraphEdge::Kind kind) {
  switch (kind) {
    case GraphEdge::Kind::kDependency:
      return GraphLine::Kind::kDependency;
    case GraphEdge::Kind::kProvider:
      return GraphLine::Kind::kProvider;
    case GraphEdge::Kind::kDeletedWith:
      return GraphLine::Kind::kDeletedWith;
  }
  return GraphLine::Kind::kDependency;
}

}  // namespace

std::vector<GraphLine> LinesOf(const Graph& graph) {
  std::vector<GraphLine> lines;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const int parent = graph.nodes[i].parent;
    if (parent >= 0) lines.push_back({parent, static_cast<int>(i), GraphLine::Kind::kParent});
  }
  for (const GraphEdge& edge : graph.edges) lines.push_back({edge.to, edge.from, KindOf(edge.kind)});
  return lines;
}

void FitToContent(GraphDrawing* drawing) {
  if (drawing->corners.empty()) return;
  GraphDrawing::Point low = drawing->corners.front(), high = low;
  const auto include = [&](double x, double y) {
    low = {std::min(low.x, x), std::min(low.y, y)};
    high = {std::max(high.x, x), std::max(high.y, y)};
  };
  for (const GraphDrawing::Point& corner : drawing->corners) {
    include(corner.x, corner.y);
    include(corner.x + kBoxWidth, corner.y + kBoxHeight);
  }
  // A Bézier curve stays between its points.
  for (const std::vector<GraphDrawing::Point>& curve : drawing->curves) {
    for (const GraphDrawing::Point& point : curve) include(point.x, point.y);
  }
  const auto move = [&](GraphDrawing::Point* point) { *point = {point->x - low.x, point->y - low.y}; };
  for (GraphDrawing::Point& corner : drawing->corners) move(&corner);
  for (std::vector<GraphDrawing::Point>& curve : drawing->curves) {
    for (GraphDrawing::Point& point : curve) move(&point);
  }
  drawing->size = {high.x - low.x, high.y - low.y};
}

GraphDrawing DrawInColumns(const Graph& graph) {
  const GraphLayout layout = LayOut(graph);
  GraphDrawing drawing;
  for (const GraphLayout::Place& place : layout.places) {
    drawing.corners.push_back({place.column * (kBoxWidth + kBoxColumnGap), place.row * (kBoxHeight + kRowGap)});
  }
  constexpr double kBend = kBoxColumnGap / 2;
  for (const GraphLine& line : LinesOf(graph)) {
    const GraphDrawing::Point from = drawing.corners[static_cast<size_t>(line.from)];
    const GraphDrawing::Point to = drawing.corners[static_cast<size_t>(line.to)];
    const double x1 = from.x + kBoxWidth, y1 = from.y + kBoxHeight / 2, x2 = to.x, y2 = to.y + kBoxHeight / 2;
    drawing.curves.push_back({{x1, y1}, {x1 + kBend, y1}, {x2 - kBend, y2}, {x2, y2}});
  }
  FitToContent(&drawing);
  return drawing;
}

}  // namespace kingpost
