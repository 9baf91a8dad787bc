// SPDX-License-Identifier: Apache-2.0
#include "load/graph.h"

#include <algorithm>
#include <cmath>

namespace kingpost::bench {
namespace {

constexpr int kChildren = 100;
constexpr int kNeeds = 3;

std::string NameOf(int number) { return "thing-" + std::to_string(number); }

std::vector<Node> Layers(int count) {
  const int width = std::max(1, static_cast<int>(std::sqrt(count)));
  std::vector<Node> nodes(count);
  for (int i = 0; i < count; ++i) {
    nodes[i].name = NameOf(i);
    nodes[i].number = i;
    const int before = (i / width - 1) * width;  // where the layer before begins
    for (int k = 0; before >= 0 && k < std::min(kNeeds, width); ++k) nodes[i].needs.push_back(before + (i + k) % width);
  }
  return nodes;
}

std::vector<Node> Components(int count) {
  std::vector<Node> nodes;
  int component = -1;
  for (int i = 0; i < count; ++i) {
    if (i % kChildren == 0) {
      component = static_cast<int>(nodes.size());
      nodes.push_back({.name = "group-" + std::to_string(i / kChildren), .number = i / kChildren, .component = true});
    }
    nodes.push_back({.name = NameOf(i), .number = i, .parent = component});
  }
  return nodes;
}

}  // namespace

std::optional<std::vector<Node>> MakeGraph(const std::string& shape, int count) {
  if (shape == "layers") return Layers(count);
  if (shape == "components") return Components(count);
  if (shape != "wide") return std::nullopt;
  std::vector<Node> nodes(count);
  for (int i = 0; i < count; ++i) nodes[i] = {.name = NameOf(i), .number = i};
  return nodes;
}

}  // namespace kingpost::bench
