// SPDX-License-Identifier: Apache-2.0
// In which order condemned resources are deleted (rows 4.8, 4.11).
//
//   a <- b <- c   (c depends on b depends on a)     c is deleted first, then b, then a
//
// The reference engine deletes in waves. Here each delete waits only for the condemned resources that depend on
// it, so that independent chains do not wait for each other; the partial order is the same.
#pragma once

#include <vector>

#include "model/dependency_graph.h"
#include "plan/step.h"

namespace kingpost::plan {

struct DeleteSchedule {
  // before[i]: the steps that must have ended before step i begins: deletes of what depends on step i's resource.
  std::vector<std::vector<int>> before;
  // needs[i]: the steps whose resources step i's resource depends on, directly; if i fails, these are kept.
  std::vector<std::vector<int>> needs;
};

// `nodes[i]` is the graph node of step i's resource (its old state, or the base state it was refreshed from).
DeleteSchedule ScheduleDeletes(const DependencyGraph& graph, const std::vector<StatePtr>& nodes);

// All steps, in the reference engine's waves: what is furthest from a step that waits for nobody's sake comes first.
//
//   a <- b <- c, d     c, then b, then a and d
std::vector<int> InWaves(const DeleteSchedule& schedule);

}  // namespace kingpost::plan
