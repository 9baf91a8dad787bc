// What `stack` shows: the resources as a tree, with what people ask for beside them. Pure.
#pragma once

#include <string>

#include "cli/display/terminal.h"
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

}  // namespace kingpost
