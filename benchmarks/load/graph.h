// SPDX-License-Identifier: Apache-2.0
// The shapes of the generated program: which resource stands below which component, and needs which others.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kingpost::bench {

struct Node {
  std::string name;
  int number = 0;  // among the resources, or among the components
  bool component = false;
  int parent = -1;              // a component before it in the graph; -1: the stack
  std::vector<int> needs = {};  // resources before it in the graph, whose outputs are among its inputs
};

// `count` custom resources:
//   wide        none needs another
//   layers      about √count layers; each resource needs three of the layer before
//   components  below components of a hundred
// Nothing if there is no such shape.
std::optional<std::vector<Node>> MakeGraph(const std::string& shape, int count);

}  // namespace kingpost::bench
