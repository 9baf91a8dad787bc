// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/fleet_timings.h"

#include <algorithm>
#include <optional>
#include <set>

#include "console/display/labels.h"
#include "console/display/table.h"

namespace kingpost {

namespace {

constexpr size_t kSlowestStacksMax = 10;

using StackClock = fleet::Board::Clock;

bool HasRun(const MemberResult& result) { return result.times.begun != StackClock::time_point(); }

std::string StackSeconds(StackClock::duration time) {
  return ShortDuration(std::chrono::duration<double>(time).count());
}

std::vector<size_t> Needed(const Fleet& fleet, const std::vector<MemberResult>& results, size_t member) {
  std::vector<size_t> needed = results[member].reads;
  const FleetMember& one = fleet.members[member];
  for (const auto* list : {&one.references, &one.after}) needed.insert(needed.end(), list->begin(), list->end());
  return needed;
}

}  // namespace

std::vector<size_t> CriticalStacks(const Fleet& fleet, const std::vector<MemberResult>& results) {
  std::optional<size_t> at;
  for (size_t i = 0; i < results.size(); ++i) {
    if (HasRun(results[i]) && (!at || results[*at].times.ended < results[i].times.ended)) at = i;
  }
  std::vector<size_t> path;
  std::set<size_t> seen;
  while (at && seen.insert(*at).second) {
    path.push_back(*at);
    std::optional<size_t> last;
    for (const size_t needed : Needed(fleet, results, *at)) {
      if (HasRun(results[needed]) && (!last || results[*last].times.ended < results[needed].times.ended)) last = needed;
    }
    at = last;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::string FleetTimingsText(const Fleet& fleet, const std::vector<MemberResult>& results, const std::string& word) {
  const std::vector<size_t> path = CriticalStacks(fleet, results);
  if (path.empty()) return "";
  StackClock::time_point first = results[path.front()].times.begun;
  for (const MemberResult& result : results) {
    if (HasRun(result)) first = std::min(first, result.times.begun);
  }
  const auto row = [&](size_t member) {
    const fleet::Board::Times& times = results[member].times;
    return TableRow{fleet.members[member].name, StackSeconds(times.begun - first), StackSeconds(times.ended - first),
                    StackSeconds(times.ended - times.begun - times.waited), StackSeconds(times.waited)};
  };
  const TableRow titles = {"STACK", "BEGAN", "ENDED", "TOOK", "WAITED"};
  std::vector<TableRow> rows;
  for (const size_t member : path) rows.push_back(row(member));
  std::string text = "\nCritical path of the " + word + ", stack after stack:\n" + Table(titles, rows, 0, 2);
  std::vector<size_t> slowest;
  for (size_t i = 0; i < results.size(); ++i) {
    if (HasRun(results[i])) slowest.push_back(i);
  }
  std::sort(slowest.begin(), slowest.end(),
            [&](size_t a, size_t b) { return results[a].outcome.took > results[b].outcome.took; });
  if (slowest.size() > kSlowestStacksMax) slowest.resize(kSlowestStacksMax);
  rows.clear();
  for (const size_t member : slowest) rows.push_back(row(member));
  return text + "\nSlowest stacks:\n" + Table(titles, rows, 0, 2);
}

}  // namespace kingpost
