// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a graph stand: in columns, each right of all that it needs, ordered so that few edges cross. Pure.
#pragma once

#include <vector>

#include "console/graph/graph.h"

namespace kingpost {

struct GraphLayout {
  struct Place {
    int column = 0, row = 0;
  };
  std::vector<Place> places;  // by node
  int columns = 0, rows = 0;
};

// Children stand right of their parents, too. What depends on itself in a circle stands where it is met first.
GraphLayout LayOut(const Graph& graph);

}  // namespace kingpost
