// SPDX-License-Identifier: Apache-2.0
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

std::vector<int> InWaves(const DeleteSchedule& schedule) {
  const size_t n = schedule.before.size();
  std::vector<int> order(n), waiting(n, 0), wave(n, 0);
  std::vector<std::vector<int>> after(n);
  std::vector<int> ready;
  for (size_t i = 0; i < n; ++i) {
    order[i] = static_cast<int>(i);
    for (int dependent : schedule.before[i]) {
      after[dependent].push_back(static_cast<int>(i));
      ++waiting[dependent];
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (waiting[i] == 0) ready.push_back(static_cast<int>(i));
  }
  for (size_t next = 0; next < ready.size(); ++next) {
    const int i = ready[next];
    for (int needed : after[i]) wave[i] = std::max(wave[i], wave[needed] + 1);
    for (int dependent : schedule.before[i]) {
      if (--waiting[dependent] == 0) ready.push_back(dependent);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return wave[a] > wave[b]; });
  return order;
}

}  // namespace kingpost::plan
