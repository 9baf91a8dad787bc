#include "plan/deletes.h"

#include <algorithm>

namespace kingpost::plan {

DeleteSchedule ScheduleDeletes(const DependencyGraph& graph, const std::vector<StatePtr>& nodes) {
  const int n = static_cast<int>(nodes.size());
  DeleteSchedule schedule;
  schedule.before.resize(n);
  schedule.needs.resize(n);
  std::vector<int> step_of_node(graph.size(), -1);
  for (int i = 0; i < n; ++i) {
    const int node = graph.IndexOf(nodes[i]);
    if (node >= 0) step_of_node[node] = i;
  }
  for (int i = 0; i < n; ++i) {
    const int node = graph.IndexOf(nodes[i]);
    if (node < 0) continue;
    for (int dependency : graph.DependencyIndices(node)) {
      const int j = step_of_node[dependency];
      if (j < 0 || j == i) continue;
      schedule.needs[i].push_back(j);
      schedule.before[j].push_back(i);
    }
  }
  return schedule;
}

}  // namespace kingpost::plan
