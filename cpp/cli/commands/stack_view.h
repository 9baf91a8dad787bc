// SPDX-License-Identifier: Apache-2.0
// The output of `stack`: the resources as a tree, with the requested fields beside them. Pure.
#pragma once

#include <map>
#include <string>

#include "console/display/terminal.h"
#include "model/snapshot.h"

namespace kingpost {

struct StackViewOptions {
  bool show_ids = false, show_urns = false;
  int columns = 0;  // of the terminal; 0: lines are as long as they are
};

// Default providers are left out: nobody asked for them by name.
int CountShown(const Snapshot& snapshot);
// A line for each resource, children below their parents, under "TYPE" and "NAME".
std::string ResourceTree(const Snapshot& snapshot, const StackViewOptions& options, const Painter& painter);

// The data that the resources do not have.
struct StackFacts {
  std::string project, stack, backend;
  std::map<std::string, std::string> tags;
  PropertyMap outputs;  // as they may be shown
};
// The same as one JSON object: --output json.
Result<std::string> StackAsJson(const Snapshot& snapshot, const StackFacts& facts);

}  // namespace kingpost
