// SPDX-License-Identifier: Apache-2.0
// A graph on a sheet: where its boxes and lines are, in pixels from the top left corner.
//
// Graphviz draws it where it is installed; elsewhere boxes stand in columns (graph_layout.h) with a curve for each
// line.
#pragma once

#include <vector>

#include "base/status.h"
#include "console/graph/graph.h"

namespace kingpost {

inline constexpr double kBoxWidth = 280, kBoxHeight = 46;

struct GraphLine {
  enum class Kind { kParent, kDependency, kProvider, kDeletedWith };
  int from = 0, to = 0;  // nodes: a line goes from what is needed, or the parent, to what needs it, or the child
  Kind kind = Kind::kDependency;

  bool operator==(const GraphLine&) const = default;
};

struct GraphDrawing {
  struct Point {
    double x = 0, y = 0;
  };
  std::vector<Point> corners;              // the top left ones of boxes, by node
  std::vector<std::vector<Point>> curves;  // by line: a point, and then three for each piece of a cubic Bézier curve
  Point size;                              // holds all of it, without a margin
};

// Those of parents first, so that others are drawn over them.
std::vector<GraphLine> LinesOf(const Graph& graph);

// Pure.
GraphDrawing DrawInColumns(const Graph& graph);

// Loads Graphviz when it is first called. Fails where it is not installed, and for a graph of more boxes and lines than
// kGraphvizPartsMax, for which it may take minutes. One thread at a time.
inline constexpr size_t kGraphvizPartsMax = 1500;
Result<GraphDrawing> DrawByGraphviz(const Graph& graph);

// Moves everything so that the drawing begins at 0, 0, and makes its size hold every box and every curve.
void FitToContent(GraphDrawing* drawing);

}  // namespace kingpost
