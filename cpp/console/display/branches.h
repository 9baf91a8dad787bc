// SPDX-License-Identifier: Apache-2.0
// A tree drawn with branches, a line for each node, children below what they belong to. Trees may be as deep as they
// like: those deeper than a screen is wide go on below each other. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kingpost {

struct BranchLine {
  size_t node;
  std::string branch;  // before the node: "│  ├─ "
  std::string below;   // before its children: "│  │  "
};

// `children` has a list for each node.
std::vector<BranchLine> DrawBranches(const std::vector<size_t>& roots,
                                     const std::vector<std::vector<size_t>>& children);

}  // namespace kingpost
