// SPDX-License-Identifier: Apache-2.0
#include "console/display/branches.h"

#include <utility>

namespace kingpost {

namespace {

constexpr size_t kDeepestBranch = 256;  // bytes of indent; deeper trees are drawn flat

BranchLine LineOfChild(const BranchLine& parent, size_t node, bool last) {
  if (parent.below.size() > kDeepestBranch) return {node, parent.below, parent.below};
  return {node, parent.below + (last ? "└─ " : "├─ "), parent.below + (last ? "   " : "│  ")};
}

}  // namespace

std::vector<BranchLine> DrawBranches(const std::vector<size_t>& roots,
                                     const std::vector<std::vector<size_t>>& children) {
  std::vector<BranchLine> lines, open;  // open: the next one last
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) open.push_back({*root, "", ""});
  while (!open.empty()) {
    lines.push_back(std::move(open.back()));
    open.pop_back();
    const BranchLine& line = lines.back();
    const std::vector<size_t>& below = children[line.node];
    for (size_t i = below.size(); i-- > 0;) open.push_back(LineOfChild(line, below[i], i + 1 == below.size()));
  }
  return lines;
}

}  // namespace kingpost
