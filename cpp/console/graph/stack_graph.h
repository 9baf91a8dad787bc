// SPDX-License-Identifier: Apache-2.0
// Many stacks as one picture: a box for each, an arrow to each that it reads, and inside, where there is room to unfold
// them, its resources. Pure.
#pragma once

#include <string>
#include <vector>

#include "console/graph/graph.h"

namespace kingpost {

struct StackPicture {
  std::string name;  // "network/prod"
  Snapshot snapshot;
  std::vector<size_t> reads;  // places in the list
};

// `resources`: with those, for a page; else boxes and arrows alone.
Graph GraphOfStacks(const std::vector<StackPicture>& stacks, bool resources, const std::string& title);

}  // namespace kingpost
