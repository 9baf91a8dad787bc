// SPDX-License-Identifier: Apache-2.0
#include "console/display/branches.h"

#include <catch2/catch.hpp>

namespace kingpost::branches_test {

TEST_CASE("children are below their parent, on its branch", "[cli]") {
  std::string text;
  for (const BranchLine& line : DrawBranches({0, 4}, {{1, 3}, {2}, {}, {}, {}})) {
    text += line.branch + std::to_string(line.node) + "\n";
  }
  CHECK(text == "0\n├─ 1\n│  └─ 2\n└─ 3\n4\n");
}

TEST_CASE("a tree may be as deep as it likes", "[cli]") {
  constexpr size_t kDepth = 200'000;
  std::vector<std::vector<size_t>> children(kDepth);
  for (size_t i = 0; i + 1 < kDepth; ++i) children[i] = {i + 1};
  const auto lines = DrawBranches({0}, children);
  REQUIRE(lines.size() == kDepth);
  CHECK(lines.back().node == kDepth - 1);
  CHECK(lines.back().branch.size() < 300);
}

}  // namespace kingpost::branches_test
