// SPDX-License-Identifier: Apache-2.0
// In which order condemned resources are deleted (rows 4.8, 4.11).
//
//   a <- b <- c   (c depends on b depends on a)     c is deleted first, then b, then a
//
// The reference engine deletes in waves. Here each delete waits only for the condemned resources that depend on
// it, so that independent chains do not wait for each other; the partial order is the same.
#pragma once

#include <vector>

#include "decisions/delete_choice.h"
#include "model/dependency_graph.h"

namespace kingpost::decisions {

struct DeleteSchedule {
  void Wait(int step, int for_step);  // once, however often it is said

  // before[i]: the steps that must have ended before step i begins: deletes of what depends on step i's resource.
  std::vector<std::vector<int>> before;
};

// `nodes[i]` is the graph node of step i's resource (its old state, or the base state it was refreshed from).
DeleteSchedule ScheduleDeletes(const DependencyGraph& graph, const std::vector<StatePtr>& nodes);

// All steps, in the reference engine's waves: what is furthest from a step that waits for nobody's sake comes first.
//
//   a <- b <- c, d     c, then b, then a and d
std::vector<int> InWaves(const DeleteSchedule& schedule);

// The deletes of a run: the schedule, with what the graph does not know of names and providers, and what has to stay
// because something else does. Reads the rows as they are when it is asked.
class DeleteOrder {
 public:
  DeleteOrder(const std::vector<DeleteStep>& going, const DependencyGraph& graph, const Rows& rows);

  const DeleteSchedule& schedule() const { return schedule_; }
  // Whether `needed` has to stay while `dependent` does.
  bool Needs(int dependent, int needed) const;
  // The deletes that may not begin once `failed` has failed; some may have begun already.
  std::vector<int> NeededBy(int failed) const;
  // The resources that a recorded one needs which this run neither renewed nor condemned. [A replaces A' in a run
  // that continues on errors, and fails]: A' still exists, so all its dependencies must stay.
  std::vector<int> NeededByOthers() const;

 private:
  void WaitForOldNames();
  void WaitForLaterProviders();

  const std::vector<DeleteStep>& going_;
  const DependencyGraph& graph_;
  const Rows& rows_;
  DeleteSchedule schedule_;
  std::unordered_map<const State*, int> number_of_;  // of a node
};

}  // namespace kingpost::decisions
