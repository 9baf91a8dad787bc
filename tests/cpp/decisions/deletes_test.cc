// SPDX-License-Identifier: Apache-2.0
// The order of deletes: every graph of up to four resources against an obvious oracle.
#include "decisions/deletes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "decisions/make_state.h"

namespace kingpost::deletes_test {

using namespace plan_test;

using decisions::DeleteSchedule;
using decisions::ScheduleDeletes;

enum Edge { kNone, kDependency, kParent, kEdges };

// A graph by number: for each resource whether it is a component, and its edge to each earlier one.
struct Shape {
  int size = 0;
  bool component[4] = {};
  Edge edge[4][4] = {};  // [later][earlier]

  static int Count(int size) {
    int count = 1 << size;
    for (int pair = 0; pair < size * (size - 1) / 2; ++pair) count *= kEdges;
    return count;
  }

  // False if a resource would have two parents.
  bool Decode(int size_of, int number) {
    size = size_of;
    for (int i = 0; i < size; ++i, number /= 2) component[i] = number % 2;
    for (int i = 0; i < size; ++i) {
      int parents = 0;
      for (int j = 0; j < i; ++j, number /= kEdges) {
        edge[i][j] = static_cast<Edge>(number % kEdges);
        parents += edge[i][j] == kParent;
      }
      if (parents > 1) return false;
    }
    return true;
  }

  std::vector<StatePtr> States() const {
    std::vector<StatePtr> states;
    for (int i = 0; i < size; ++i) {
      State state = StateOf(std::string(1, static_cast<char>('a' + i)));
      state.custom = !component[i];
      for (int j = 0; j < i; ++j) {
        if (edge[i][j] == kDependency) state.dependencies.push_back(states[j]->urn);
        if (edge[i][j] == kParent) state.parent = states[j]->urn;
      }
      states.push_back(Share(std::move(state)));
    }
    return states;
  }

  bool IsBelow(int child, int ancestor) const {
    for (int parent = 0; parent < child; ++parent) {
      if (edge[child][parent] == kParent) return parent == ancestor || IsBelow(parent, ancestor);
    }
    return false;
  }

  // The oracle. A dependency on a component is also one on all that is in it, as far as it comes earlier.
  bool DependsOn(int later, int earlier) const {
    if (earlier >= later) return false;
    if (edge[later][earlier] != kNone) return true;
    for (int named = 0; named < later; ++named) {
      if (edge[later][named] == kDependency && component[named] && IsBelow(earlier, named)) return true;
    }
    return false;
  }

  std::string Text() const {
    std::string text;
    for (int i = 0; i < size; ++i) {
      text += std::string(i > 0 ? " " : "") + static_cast<char>(component[i] ? 'A' + i : 'a' + i) + "(";
      for (int j = 0; j < i; ++j) {
        if (edge[i][j] != kNone) text += std::string(edge[i][j] == kParent ? "^" : "") + static_cast<char>('a' + j);
      }
      text += ")";
    }
    return text;
  }
};

// Runs the schedule in the most eager way, and says which step began before one that it had to wait for ended.
// All that may begin, begins at once; of the running ones, the last to begin ends first.
std::string Violation(const DeleteSchedule& schedule, const Shape& shape, const std::vector<int>& condemned) {
  const int n = static_cast<int>(condemned.size());
  std::set<int> waiting, ended;
  std::vector<int> running;
  for (int i = 0; i < n; ++i) waiting.insert(i);
  while (!waiting.empty() || !running.empty()) {
    for (auto at = waiting.begin(); at != waiting.end();) {
      const int step = *at;
      bool ready = true;
      for (int before : schedule.before[step]) ready = ready && ended.count(before) > 0;
      if (!ready) {
        ++at;
        continue;
      }
      for (int other = 0; other < n; ++other) {
        if (shape.DependsOn(condemned[other], condemned[step]) && ended.count(other) == 0) {
          return std::string(1, 'a' + condemned[step]) + " began before " + static_cast<char>('a' + condemned[other]) +
                 " had ended";
        }
      }
      running.push_back(step);
      at = waiting.erase(at);
    }
    if (running.empty()) return "all wait for each other";
    ended.insert(running.back());
    running.pop_back();
  }
  return "";
}

// True if each step waits only for its dependents.
bool WaitsOnlyForDependents(const DeleteSchedule& schedule, const Shape& shape, const std::vector<int>& condemned) {
  for (size_t i = 0; i < condemned.size(); ++i) {
    for (int before : schedule.before[i]) {
      if (!shape.DependsOn(condemned[before], condemned[i])) return false;
    }
  }
  return true;
}

TEST_CASE("no delete begins before the deletes of its dependents have ended, in every graph of up to four") {
  int graphs = 0;
  for (int size = 1; size <= 4; ++size) {
    for (int number = 0; number < Shape::Count(size); ++number) {
      Shape shape;
      if (!shape.Decode(size, number)) continue;
      ++graphs;
      const std::vector<StatePtr> states = shape.States();
      const DependencyGraph graph(states);
      for (int subset = 1; subset < 1 << size; ++subset) {
        std::vector<int> condemned;
        std::vector<StatePtr> nodes;
        for (int i = size - 1; i >= 0; --i) {
          if ((subset >> i & 1) == 0) continue;
          condemned.push_back(i);
          nodes.push_back(states[i]);
        }
        const DeleteSchedule schedule = ScheduleDeletes(graph, nodes);
        const std::string violation = Violation(schedule, shape, condemned);
        const bool exact = WaitsOnlyForDependents(schedule, shape, condemned);
        if (violation.empty() && exact) continue;
        FAIL(shape.Text() << ", set " << subset << ": " << (violation.empty() ? "waits for too much" : violation));
      }
    }
  }
  CHECK(graphs > 5000);
}

TEST_CASE(
    "one at a time, a delete with the longer chain of deletes behind it comes first, in every graph of up to four") {
  for (int size = 1; size <= 4; ++size) {
    for (int number = 0; number < Shape::Count(size); ++number) {
      Shape shape;
      if (!shape.Decode(size, number)) continue;
      const std::vector<StatePtr> states = shape.States();
      const DeleteSchedule schedule = ScheduleDeletes(DependencyGraph(states), states);
      // The number of deletes that must follow one another after a step's own delete.
      std::vector<int> depth(size, 0);
      for (int round = 0; round < size; ++round) {
        for (int needed = 0; needed < size; ++needed) {
          for (int i : schedule.before[needed]) depth[i] = std::max(depth[i], depth[needed] + 1);
        }
      }
      const std::vector<int> order = decisions::InWaves(schedule);
      REQUIRE(std::set<int>(order.begin(), order.end()).size() == static_cast<size_t>(size));
      for (int at = 1; at < size; ++at) {
        INFO("graph " << number << " of " << size);
        REQUIRE(depth[order[at - 1]] >= depth[order[at]]);
      }
    }
  }
}

TEST_CASE("every way to name a resource makes its delete wait") {
  const StatePtr base = Share(StateOf("base"));
  State provider_state = StateOf("prov");
  provider_state.urn = UrnOf("prov", "pulumi:providers:pkg");
  provider_state.type = "pulumi:providers:pkg";
  const StatePtr provider = Share(provider_state);
  const auto waits = [&](const StatePtr& target, auto name_it) {
    State state = StateOf("user");
    name_it(state);
    const StatePtr user = Share(state);
    const DependencyGraph graph({base, provider, user});
    return ScheduleDeletes(graph, {target, user}).before == std::vector<std::vector<int>>{{1}, {}};
  };
  CHECK(waits(base, [&](State& s) { s.parent = base->urn; }));
  CHECK(waits(base, [&](State& s) { s.dependencies = {base->urn}; }));
  CHECK(waits(base, [&](State& s) { s.property_dependencies["p"] = {base->urn}; }));
  CHECK(waits(base, [&](State& s) { s.deleted_with = base->urn; }));
  CHECK(waits(base, [&](State& s) { s.replace_with = {base->urn}; }));
  CHECK(waits(provider, [&](State& s) { s.provider = provider->urn.str() + "::prov-id"; }));
  CHECK_FALSE(waits(base, [](State&) {}));
}

// [A condemned, B(A) condemned, A' live]: B was made with the old A, which waits for it; A' goes last of nothing.
TEST_CASE("the earlier of states that share a URN wait for a dependent") {
  State old_a = StateOf("a");
  old_a.pending_delete = true;
  State b = StateOf("b");
  b.dependencies = {old_a.urn};
  const std::vector<StatePtr> states = {Share(old_a), Share(b), Share(StateOf("a"))};
  const DependencyGraph graph(states);
  const DeleteSchedule schedule = ScheduleDeletes(graph, states);
  CHECK(schedule.before == std::vector<std::vector<int>>{{1}, {}, {}});
}

TEST_CASE("a resource that the graph does not know waits for nothing") {
  const StatePtr known = Share(StateOf("a"));
  const DependencyGraph graph({known});
  const DeleteSchedule schedule = ScheduleDeletes(graph, {Share(StateOf("stranger")), known});
  CHECK(schedule.before == std::vector<std::vector<int>>{{}, {}});
}

}  // namespace kingpost::deletes_test
