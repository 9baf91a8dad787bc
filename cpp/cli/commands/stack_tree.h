// SPDX-License-Identifier: Apache-2.0
// Which stacks read which, and whether they know the outputs of now.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"

namespace kingpost {

struct StackTreeNode {
  StackName stack;
  std::string name;  // as it is shown
  std::string note;  // "2 minutes ago"
};

// One that reads nobody stands at the left, and those that read it below it.
Status PrintStackTree(Session& session, const std::vector<StackTreeNode>& stacks, bool as_json);

}  // namespace kingpost
